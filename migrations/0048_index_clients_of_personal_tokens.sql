CREATE INDEX "personal_tokens_client_id_index" ON "personal_tokens" USING btree ("client_id");
