CREATE TABLE "alert_events" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"owner_id" uuid NOT NULL,
	"widget_id" uuid NOT NULL,
	"coin_a_id" text NOT NULL,
	"coin_b_id" text NOT NULL,
	"coin_a_symbol" text NOT NULL,
	"coin_b_symbol" text NOT NULL,
	"side" text NOT NULL,
	"epoch" integer NOT NULL,
	"ratio" double precision NOT NULL,
	"threshold" double precision NOT NULL,
	"crossed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "alert_events_crossing" UNIQUE("widget_id","side","epoch"),
	CONSTRAINT "alert_events_side" CHECK ("alert_events"."side" IN ('high', 'low')),
	CONSTRAINT "alert_events_ratio" CHECK ("alert_events"."ratio" >= 0 AND "alert_events"."ratio" < 'Infinity'::float8),
	CONSTRAINT "alert_events_threshold" CHECK ("alert_events"."threshold" > 0 AND "alert_events"."threshold" < 'Infinity'::float8)
);
--> statement-breakpoint
CREATE TABLE "pairs" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "pairs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"coin_a_id" text NOT NULL,
	"coin_b_id" text NOT NULL,
	CONSTRAINT "pairs_coins" UNIQUE("coin_a_id","coin_b_id")
);
--> statement-breakpoint
ALTER TABLE "widgets" ADD COLUMN "pair_id" integer;--> statement-breakpoint
INSERT INTO "pairs" ("coin_a_id", "coin_b_id") SELECT DISTINCT "coin_a_id", "coin_b_id" FROM "widgets" ORDER BY 1, 2;--> statement-breakpoint
UPDATE "widgets" SET "pair_id" = "pairs"."id" FROM "pairs" WHERE "pairs"."coin_a_id" = "widgets"."coin_a_id" AND "pairs"."coin_b_id" = "widgets"."coin_b_id";--> statement-breakpoint
ALTER TABLE "widgets" ALTER COLUMN "pair_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "alert_events" ADD CONSTRAINT "alert_events_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alert_events_history" ON "alert_events" USING btree ("owner_id","crossed_at");--> statement-breakpoint
ALTER TABLE "widgets" ADD CONSTRAINT "widgets_pair_id_pairs_id_fk" FOREIGN KEY ("pair_id") REFERENCES "public"."pairs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "widgets_high_armed" ON "widgets" USING btree ("pair_id","high_threshold") WHERE "widgets"."is_active" AND "widgets"."notifications_enabled" AND "widgets"."high_threshold_active";--> statement-breakpoint
CREATE INDEX "widgets_low_armed" ON "widgets" USING btree ("pair_id","low_threshold") WHERE "widgets"."is_active" AND "widgets"."notifications_enabled" AND "widgets"."low_threshold_active";--> statement-breakpoint
CREATE INDEX "widgets_high_disarmed" ON "widgets" USING btree ("pair_id","high_threshold") WHERE "widgets"."is_active" AND "widgets"."notifications_enabled" AND NOT "widgets"."high_threshold_active";--> statement-breakpoint
CREATE INDEX "widgets_low_disarmed" ON "widgets" USING btree ("pair_id","low_threshold") WHERE "widgets"."is_active" AND "widgets"."notifications_enabled" AND NOT "widgets"."low_threshold_active";