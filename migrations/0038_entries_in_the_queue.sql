-- All that waits is new to the queue, which takes it over in steps. calendar_entries.leased_until
-- and calendars.served_at stay: instances of the version before, which go on meanwhile, read and
-- write them. An entry that both write is put to one address, if that is as they left it.
ALTER TABLE "calendar_entries" ADD COLUMN "queued_version" integer DEFAULT -1 NOT NULL;
