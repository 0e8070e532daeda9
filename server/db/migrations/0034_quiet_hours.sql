ALTER TABLE "alert_events" ADD COLUMN "held_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "alert_settings" ADD COLUMN "quiet_hours" jsonb;--> statement-breakpoint
ALTER TABLE "alert_settings" ADD COLUMN "paused_until" timestamp (3) with time zone;