CREATE TABLE "alert_rules" (
	"id" uuid PRIMARY KEY NOT NULL,
	"widget_id" uuid NOT NULL,
	"owner_id" uuid NOT NULL,
	"pair_id" integer NOT NULL,
	"kind" text NOT NULL,
	"level" double precision NOT NULL,
	"margin" double precision NOT NULL,
	"hold_minutes" integer NOT NULL,
	"armed" boolean NOT NULL,
	"epoch" integer NOT NULL,
	"due_at" timestamp (3) with time zone,
	"watched" boolean NOT NULL
);
--> statement-breakpoint
ALTER TABLE "widgets" ADD COLUMN "alert_margin" double precision DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "widgets" ADD COLUMN "alert_hold_minutes" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "widgets" ADD COLUMN "high_due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "widgets" ADD COLUMN "low_due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "alert_rules" ADD CONSTRAINT "alert_rules_widget_id_widgets_id_fk" FOREIGN KEY ("widget_id") REFERENCES "public"."widgets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_rules" ADD CONSTRAINT "alert_rules_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alert_rules_widget" ON "alert_rules" USING btree ("widget_id");--> statement-breakpoint
CREATE INDEX "alert_rules_owner" ON "alert_rules" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "widgets_high_back" ON "widgets" USING btree ("pair_id",("high_threshold" * (1 - "alert_margin"))) WHERE "widgets"."is_active" AND "widgets"."notifications_enabled" AND "widgets"."high_threshold" IS NOT NULL AND NOT "widgets"."high_threshold_active";--> statement-breakpoint
CREATE INDEX "widgets_low_back" ON "widgets" USING btree ("pair_id",("low_threshold" * (1 + "alert_margin"))) WHERE "widgets"."is_active" AND "widgets"."notifications_enabled" AND "widgets"."low_threshold" IS NOT NULL AND NOT "widgets"."low_threshold_active";--> statement-breakpoint
CREATE INDEX "widgets_due" ON "widgets" USING btree ("pair_id") WHERE "widgets"."high_due_at" IS NOT NULL OR "widgets"."low_due_at" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "widgets" ADD CONSTRAINT "widgets_alert_margin" CHECK ("widgets"."alert_margin" BETWEEN 0 AND 0.5);--> statement-breakpoint
ALTER TABLE "widgets" ADD CONSTRAINT "widgets_alert_hold_minutes" CHECK ("widgets"."alert_hold_minutes" BETWEEN 0 AND 1440);--> statement-breakpoint
INSERT INTO "alert_rules" ("id", "widget_id", "owner_id", "pair_id", "kind", "level", "margin", "hold_minutes", "armed", "epoch", "watched")
SELECT md5(w."id" || ':' || rule.kind)::uuid, w."id", w."owner_id", w."pair_id", rule.kind, rule.level, 0, 0, rule.armed, rule.epoch, w."is_active" AND w."notifications_enabled"
FROM "widgets" w CROSS JOIN LATERAL (VALUES ('above', w."high_threshold", w."high_threshold_active", w."high_epoch"), ('below', w."low_threshold", w."low_threshold_active", w."low_epoch")) AS rule (kind, level, armed, epoch)
WHERE rule.level IS NOT NULL;
