-- compatible: what has one more column here is unique without it already, so these refuse no row.
CREATE UNIQUE INDEX IF NOT EXISTS "alert_rules_id_owner_id_pk" ON "alert_rules" USING btree ("id","owner_id");--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS "checkpoints_id_owner_id_pk" ON "checkpoints" USING btree ("id","owner_id");--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS "alert_channels_id_owner_id_pk" ON "alert_channels" USING btree ("id","owner_id");--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS "push_subscriptions_id_owner_id_pk" ON "push_subscriptions" USING btree ("id","owner_id");--> statement-breakpoint
CREATE UNIQUE INDEX "checkpoints_one_default_of_owner" ON "checkpoints" USING btree ("widget_id","owner_id") WHERE "checkpoints"."is_default";--> statement-breakpoint
CREATE INDEX "push_subscriptions_receipts" ON "push_subscriptions" USING btree ("receipt_hash") WHERE "push_subscriptions"."receipt_hash" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "alert_channels_links" ON "alert_channels" USING btree ("link_hash") WHERE "alert_channels"."link_hash" IS NOT NULL;
