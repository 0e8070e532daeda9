CREATE TABLE "alert_source" (
	"id" smallint PRIMARY KEY NOT NULL,
	"source" text NOT NULL,
	CONSTRAINT "alert_source_one_row" CHECK ("alert_source"."id" = 1)
);
--> statement-breakpoint
ALTER TABLE "market_calls" ADD COLUMN "polling_calls" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "market_calls" ADD COLUMN "asked_calls" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "market_calls" ADD COLUMN "turns" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "pairs_coin_b" ON "pairs" USING btree ("coin_b_id");--> statement-breakpoint
CREATE INDEX "widgets_pair" ON "widgets" USING btree ("pair_id");--> statement-breakpoint
CREATE INDEX "widgets_watched" ON "widgets" USING btree ("pair_id") WHERE "widgets"."is_active" AND "widgets"."notifications_enabled" AND ("widgets"."high_threshold" IS NOT NULL OR "widgets"."low_threshold" IS NOT NULL);--> statement-breakpoint
UPDATE "market_calls" SET "polling_calls" = "calls" * 7 / 10;
