-- compatible: what has one more column here is unique without it already, so these refuse no row.
CREATE UNIQUE INDEX IF NOT EXISTS "push_deliveries_id_owner_id_pk" ON "push_deliveries" USING btree ("id","owner_id");--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS "channel_deliveries_id_owner_id_pk" ON "channel_deliveries" USING btree ("id","owner_id");--> statement-breakpoint
CREATE UNIQUE INDEX "push_deliveries_event_subscription_of_owner" ON "push_deliveries" USING btree ("event_id","subscription_id","owner_id");--> statement-breakpoint
CREATE UNIQUE INDEX "channel_deliveries_event_channel_of_owner" ON "channel_deliveries" USING btree ("event_id","channel_id","owner_id");
