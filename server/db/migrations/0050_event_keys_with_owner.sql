-- compatible: what has one more column here is unique without it already, so these refuse no row.
CREATE UNIQUE INDEX IF NOT EXISTS "alert_events_id_owner_id_pk" ON "alert_events" USING btree ("id","owner_id");--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS "alert_events_crossing_of_owner" ON "alert_events" USING btree ("widget_id","side","epoch","kind","rule_id","owner_id") NULLS NOT DISTINCT;
