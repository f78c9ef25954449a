CREATE TABLE "instances" (
	"version" text NOT NULL,
	"parts" text NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "instances_version_parts_pk" PRIMARY KEY("version","parts")
);
