-- Rows that retention removes meanwhile are waited for: all would begin anew.
SET LOCAL lock_timeout = '20s';--> statement-breakpoint
-- Those that wait come last, since others change them meanwhile: their rows are held for a moment.
UPDATE "push_deliveries" d SET "owner_id" = e."owner_id" FROM "alert_events" e WHERE e."id" = d."event_id" AND d."owner_id" IS NULL AND d."outcome" <> 'waiting';--> statement-breakpoint
UPDATE "channel_deliveries" d SET "owner_id" = e."owner_id" FROM "alert_events" e WHERE e."id" = d."event_id" AND d."owner_id" IS NULL AND d."outcome" <> 'waiting';--> statement-breakpoint
UPDATE "push_deliveries" d SET "owner_id" = e."owner_id" FROM "alert_events" e WHERE e."id" = d."event_id" AND d."owner_id" IS NULL;--> statement-breakpoint
UPDATE "channel_deliveries" d SET "owner_id" = e."owner_id" FROM "alert_events" e WHERE e."id" = d."event_id" AND d."owner_id" IS NULL;
