CREATE TABLE "operator_notice" (
	"name" text PRIMARY KEY NOT NULL,
	"told" text[] DEFAULT '{}' NOT NULL,
	"told_at" timestamp (3) with time zone,
	"seen" text[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "operator_notice_single" CHECK ("operator_notice"."name" = 'concerns')
);
