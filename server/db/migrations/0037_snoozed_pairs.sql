ALTER TABLE "widgets" ADD COLUMN "snoozed_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "widgets" ADD COLUMN "snoozed_epochs" integer;