DROP INDEX "widgets_high_armed";--> statement-breakpoint
DROP INDEX "widgets_low_armed";--> statement-breakpoint
DROP INDEX "widgets_high_disarmed";--> statement-breakpoint
DROP INDEX "widgets_low_disarmed";--> statement-breakpoint
DROP INDEX "widgets_owner_order";--> statement-breakpoint
DROP INDEX "pairs_coin_b";--> statement-breakpoint
CREATE INDEX "pairs_coin_a" ON "pairs" USING btree ("coin_a_id","id");--> statement-breakpoint
CREATE INDEX "widgets_high" ON "widgets" USING btree ("pair_id","high_threshold_active","high_threshold") WHERE "widgets"."is_active" AND "widgets"."notifications_enabled" AND "widgets"."high_threshold" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "widgets_low" ON "widgets" USING btree ("pair_id","low_threshold_active","low_threshold") WHERE "widgets"."is_active" AND "widgets"."notifications_enabled" AND "widgets"."low_threshold" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "pairs_coin_b" ON "pairs" USING btree ("coin_b_id","id");