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
CREATE INDEX "alert_rules_widget" ON "alert_rules" USING btree ("widget_id");--> statement-breakpoint
CREATE INDEX "widgets_high_armed" ON "widgets" USING btree ("pair_id","high_threshold") WHERE "widgets"."is_active" AND "widgets"."notifications_enabled" AND "widgets"."high_threshold" IS NOT NULL AND "widgets"."high_threshold_active" AND "widgets"."high_due_at" IS NULL;--> statement-breakpoint
CREATE INDEX "widgets_high_back" ON "widgets" USING btree ("pair_id",("high_threshold" * (1 - "alert_margin"))) WHERE "widgets"."is_active" AND "widgets"."notifications_enabled" AND "widgets"."high_threshold" IS NOT NULL AND NOT "widgets"."high_threshold_active";--> statement-breakpoint
CREATE INDEX "widgets_high_held" ON "widgets" USING btree ("pair_id","high_threshold") WHERE "widgets"."is_active" AND "widgets"."notifications_enabled" AND "widgets"."high_threshold" IS NOT NULL AND "widgets"."high_due_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "widgets_low_armed" ON "widgets" USING btree ("pair_id","low_threshold") WHERE "widgets"."is_active" AND "widgets"."notifications_enabled" AND "widgets"."low_threshold" IS NOT NULL AND "widgets"."low_threshold_active" AND "widgets"."low_due_at" IS NULL;--> statement-breakpoint
CREATE INDEX "widgets_low_back" ON "widgets" USING btree ("pair_id",("low_threshold" * (1 + "alert_margin"))) WHERE "widgets"."is_active" AND "widgets"."notifications_enabled" AND "widgets"."low_threshold" IS NOT NULL AND NOT "widgets"."low_threshold_active";--> statement-breakpoint
CREATE INDEX "widgets_low_held" ON "widgets" USING btree ("pair_id","low_threshold") WHERE "widgets"."is_active" AND "widgets"."notifications_enabled" AND "widgets"."low_threshold" IS NOT NULL AND "widgets"."low_due_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "widgets_due" ON "widgets" USING btree ("pair_id",least("high_due_at", "low_due_at")) WHERE "widgets"."is_active" AND "widgets"."notifications_enabled" AND ("widgets"."high_due_at" IS NOT NULL OR "widgets"."low_due_at" IS NOT NULL);--> statement-breakpoint
ALTER TABLE "widgets" ADD CONSTRAINT "widgets_alert_margin" CHECK ("widgets"."alert_margin" BETWEEN 0 AND 0.5);--> statement-breakpoint
ALTER TABLE "widgets" ADD CONSTRAINT "widgets_alert_hold_minutes" CHECK ("widgets"."alert_hold_minutes" BETWEEN 0 AND 1440);--> statement-breakpoint
CREATE FUNCTION "write_threshold_rules"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- A look for each instead of a join: the plan is kept, and is to be good for one row and for thousands.
  INSERT INTO alert_rules (id, widget_id, owner_id, pair_id, kind, level, margin, hold_minutes, armed, epoch, due_at, watched)
  SELECT rule.id, w.id, w.owner_id, w.pair_id, rule.kind, rule.level, w.alert_margin, w.alert_hold_minutes, rule.armed, rule.epoch,
    rule.due_at, w.is_active AND w.notifications_enabled
  FROM written w CROSS JOIN LATERAL (VALUES
    (md5(w.id || ':above')::uuid, 'above', w.high_threshold, w.high_threshold_active, w.high_epoch, w.high_due_at),
    (md5(w.id || ':below')::uuid, 'below', w.low_threshold, w.low_threshold_active, w.low_epoch, w.low_due_at)
  ) AS rule (id, kind, level, armed, epoch, due_at)
  WHERE rule.level IS NOT NULL AND (
    SELECT (r.owner_id, r.pair_id, r.level, r.margin, r.hold_minutes, r.armed, r.epoch, r.due_at, r.watched)
      IS NOT DISTINCT FROM (w.owner_id, w.pair_id, rule.level, w.alert_margin, w.alert_hold_minutes, rule.armed, rule.epoch,
        rule.due_at, w.is_active AND w.notifications_enabled)
    FROM alert_rules r WHERE r.id = rule.id
  ) IS NOT TRUE
  ON CONFLICT (id) DO UPDATE SET owner_id = excluded.owner_id, pair_id = excluded.pair_id, level = excluded.level,
    margin = excluded.margin, hold_minutes = excluded.hold_minutes, armed = excluded.armed, epoch = excluded.epoch,
    due_at = excluded.due_at, watched = excluded.watched;
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM alert_rules WHERE id = ANY (ARRAY (
      SELECT md5(w.id || ':' || rule.kind)::uuid
      FROM written w CROSS JOIN LATERAL (VALUES ('above', w.high_threshold), ('below', w.low_threshold)) AS rule (kind, level)
      WHERE rule.level IS NULL));
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "write_threshold_rules_of_new" AFTER INSERT ON "widgets" REFERENCING NEW TABLE AS written
FOR EACH STATEMENT EXECUTE FUNCTION "write_threshold_rules"();--> statement-breakpoint
CREATE TRIGGER "write_threshold_rules" AFTER UPDATE ON "widgets" REFERENCING NEW TABLE AS written
FOR EACH STATEMENT EXECUTE FUNCTION "write_threshold_rules"();--> statement-breakpoint
INSERT INTO "alert_rules" ("id", "widget_id", "owner_id", "pair_id", "kind", "level", "margin", "hold_minutes", "armed", "epoch", "watched")
SELECT md5(w."id" || ':' || rule.kind)::uuid, w."id", w."owner_id", w."pair_id", rule.kind, rule.level, 0, 0, rule.armed, rule.epoch, w."is_active" AND w."notifications_enabled"
FROM "widgets" w CROSS JOIN LATERAL (VALUES ('above', w."high_threshold", w."high_threshold_active", w."high_epoch"), ('below', w."low_threshold", w."low_threshold_active", w."low_epoch")) AS rule (kind, level, armed, epoch)
WHERE rule.level IS NOT NULL;
