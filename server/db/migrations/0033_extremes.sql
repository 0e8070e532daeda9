CREATE TABLE "alert_settings" (
	"owner_id" uuid PRIMARY KEY NOT NULL,
	"extremes" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "extreme_firings" (
	"pair_id" integer NOT NULL,
	"side" text NOT NULL,
	"day" integer NOT NULL,
	"ratio" double precision NOT NULL,
	"threshold" double precision NOT NULL,
	"measure" double precision NOT NULL,
	"days" integer NOT NULL,
	"crossed_at" timestamp (3) with time zone NOT NULL,
	"after_widget" uuid,
	CONSTRAINT "extreme_firings_pair_id_side_day_pk" PRIMARY KEY("pair_id","side","day")
);
--> statement-breakpoint
CREATE TABLE "pair_extremes" (
	"pair_id" integer PRIMARY KEY NOT NULL,
	"stands" text,
	"high_day" integer,
	"low_day" integer
);
--> statement-breakpoint
ALTER TABLE "alert_events" DROP CONSTRAINT "alert_events_crossing";--> statement-breakpoint
ALTER TABLE "alert_events" ADD COLUMN "kind" text DEFAULT 'threshold' NOT NULL;--> statement-breakpoint
ALTER TABLE "alert_events" ADD COLUMN "measure" double precision;--> statement-breakpoint
ALTER TABLE "alert_events" ADD COLUMN "days" integer;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD COLUMN "kinds" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "alert_settings" ADD CONSTRAINT "alert_settings_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "extreme_firings" ADD CONSTRAINT "extreme_firings_pair_id_pairs_id_fk" FOREIGN KEY ("pair_id") REFERENCES "public"."pairs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pair_extremes" ADD CONSTRAINT "pair_extremes_pair_id_pairs_id_fk" FOREIGN KEY ("pair_id") REFERENCES "public"."pairs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alert_settings_extremes" ON "alert_settings" USING btree ("owner_id") WHERE "alert_settings"."extremes";--> statement-breakpoint
ALTER TABLE "alert_events" ADD CONSTRAINT "alert_events_crossing" UNIQUE("widget_id","side","epoch","kind");