CREATE TABLE "retention_clock" (
	"name" text PRIMARY KEY NOT NULL,
	"confirmed_at" timestamp (3) with time zone NOT NULL,
	"doubted_at" timestamp (3) with time zone,
	CONSTRAINT "retention_clock_single" CHECK ("retention_clock"."name" = 'retention')
);
--> statement-breakpoint
ALTER TABLE "feedback" ADD COLUMN "guest_id" uuid;--> statement-breakpoint
ALTER TABLE "owners" ADD COLUMN "last_seen" date DEFAULT (now() AT TIME ZONE 'UTC')::date;--> statement-breakpoint
ALTER TABLE "feedback" ADD CONSTRAINT "feedback_guest_id_owners_id_fk" FOREIGN KEY ("guest_id") REFERENCES "public"."owners"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "feedback_user" ON "feedback" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "feedback_guest" ON "feedback" USING btree ("guest_id");--> statement-breakpoint
CREATE INDEX "feedback_age" ON "feedback" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "owners_guests_seen" ON "owners" USING btree ("last_seen") WHERE "owners"."kind" = 'guest';--> statement-breakpoint
-- Guests of before are counted from today on: none of them is gone for not having been noted. Users have no such day.
UPDATE "owners" SET "last_seen" = NULL WHERE "kind" = 'user';--> statement-breakpoint
INSERT INTO "retention_clock" ("name", "confirmed_at")
SELECT 'retention', coalesce(max("last_finished_at"), now()) FROM "jobs";
