ALTER TABLE "retention_clock" ADD COLUMN "held_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "retention_clock" ADD COLUMN "provider_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "retention_clock" ADD COLUMN "would_remove" jsonb DEFAULT '{}'::jsonb NOT NULL;