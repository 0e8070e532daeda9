CREATE TABLE "rule_bounds" (
	"pair_id" integer NOT NULL,
	"measure" text COLLATE "C" NOT NULL,
	"above" double precision,
	"below" double precision,
	CONSTRAINT "rule_bounds_pair_id_measure_pk" PRIMARY KEY("pair_id","measure")
);
--> statement-breakpoint
ALTER TABLE "alert_events" DROP CONSTRAINT "alert_events_crossing";--> statement-breakpoint
ALTER TABLE "alert_events" ADD COLUMN "rule_id" uuid;--> statement-breakpoint
ALTER TABLE "alert_events" ADD COLUMN "level" double precision;--> statement-breakpoint
ALTER TABLE "alert_events" ADD COLUMN "rule_window" text;--> statement-breakpoint
ALTER TABLE "alert_events" ADD COLUMN "loudness" text;--> statement-breakpoint
ALTER TABLE "alert_events" ADD COLUMN "note" text;--> statement-breakpoint
ALTER TABLE "alert_rules" ADD COLUMN "measure" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "alert_rules" ADD COLUMN "above" double precision;--> statement-breakpoint
ALTER TABLE "alert_rules" ADD COLUMN "below" double precision;--> statement-breakpoint
ALTER TABLE "alert_rules" ADD COLUMN "anchor" double precision;--> statement-breakpoint
ALTER TABLE "alert_rules" ADD COLUMN "ended" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "alert_rules" ADD COLUMN "rule_window" text;--> statement-breakpoint
ALTER TABLE "alert_rules" ADD COLUMN "repeat" text DEFAULT 'each' NOT NULL;--> statement-breakpoint
ALTER TABLE "alert_rules" ADD COLUMN "expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "alert_rules" ADD COLUMN "loudness" text DEFAULT 'buzz' NOT NULL;--> statement-breakpoint
ALTER TABLE "alert_rules" ADD COLUMN "note" text;--> statement-breakpoint
ALTER TABLE "alert_rules" ADD COLUMN "created_by_op" uuid;--> statement-breakpoint
ALTER TABLE "alert_rules" ADD COLUMN "created_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "rule_bounds" ADD CONSTRAINT "rule_bounds_pair_id_pairs_id_fk" FOREIGN KEY ("pair_id") REFERENCES "public"."pairs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alert_rules_of_widget" ON "alert_rules" USING btree ("widget_id") WHERE "alert_rules"."measure" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "alert_rules_owner_op" ON "alert_rules" USING btree ("owner_id","created_by_op") WHERE "alert_rules"."created_by_op" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "alert_rules_above" ON "alert_rules" USING btree ("pair_id","measure","above") WHERE "alert_rules"."watched" AND "alert_rules"."above" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "alert_rules_below" ON "alert_rules" USING btree ("pair_id","measure","below") WHERE "alert_rules"."watched" AND "alert_rules"."below" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "alert_rules_due" ON "alert_rules" USING btree ("due_at") WHERE "alert_rules"."watched" AND "alert_rules"."measure" IS NOT NULL AND "alert_rules"."due_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "alert_rules_expiring" ON "alert_rules" USING btree ("expires_at") WHERE "alert_rules"."watched" AND NOT "alert_rules"."ended" AND "alert_rules"."expires_at" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "alert_events" ADD CONSTRAINT "alert_events_crossing" UNIQUE NULLS NOT DISTINCT("widget_id","side","epoch","kind","rule_id");--> statement-breakpoint
CREATE FUNCTION "watch_rules"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The two thresholds are written by "write_threshold_rules".
  UPDATE alert_rules SET watched = NEW.is_active WHERE widget_id = NEW.id AND measure IS NOT NULL;
  IF NEW.is_active THEN
    INSERT INTO rule_bounds AS b (pair_id, measure, above, below)
    SELECT pair_id, measure, min(above), max(below) FROM alert_rules
    WHERE widget_id = NEW.id AND measure IS NOT NULL GROUP BY pair_id, measure ORDER BY pair_id, measure
    ON CONFLICT (pair_id, measure) DO UPDATE SET above = least(b.above, excluded.above), below = greatest(b.below, excluded.below);
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "watch_rules" AFTER UPDATE OF "is_active" ON "widgets"
FOR EACH ROW WHEN (OLD."is_active" IS DISTINCT FROM NEW."is_active") EXECUTE FUNCTION "watch_rules"();
