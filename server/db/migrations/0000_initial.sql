CREATE TABLE "checkpoints" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"widget_id" uuid NOT NULL,
	"owner_id" uuid NOT NULL,
	"ratio" double precision NOT NULL,
	"timestamp" timestamp (3) with time zone NOT NULL,
	"is_default" boolean NOT NULL,
	"display_order" integer NOT NULL,
	"created_by_op" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "checkpoints_owner_op" UNIQUE("owner_id","created_by_op"),
	CONSTRAINT "checkpoints_order" CHECK ("checkpoints"."display_order" >= 0),
	CONSTRAINT "checkpoints_ratio" CHECK ("checkpoints"."ratio" > 0 AND "checkpoints"."ratio" < 'Infinity'::float8)
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"name" text PRIMARY KEY NOT NULL,
	"next_run_at" timestamp (3) with time zone NOT NULL,
	"claimed_until" timestamp (3) with time zone,
	"claim" text,
	"last_started_at" timestamp (3) with time zone,
	"last_finished_at" timestamp (3) with time zone,
	"last_error" text
);
--> statement-breakpoint
CREATE TABLE "market_calls" (
	"month" text PRIMARY KEY NOT NULL,
	"calls" integer NOT NULL,
	"paused_until" bigint DEFAULT 0 NOT NULL,
	"polled_at" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "market_coins" (
	"key" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "market_coins_key_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"source" text NOT NULL,
	"id" text NOT NULL,
	"symbol" text NOT NULL,
	"name" text NOT NULL,
	"image" text,
	"market_cap_rank" integer,
	"listed_at" bigint NOT NULL,
	"asked_at" bigint,
	CONSTRAINT "market_coins_source_id" UNIQUE("source","id")
);
--> statement-breakpoint
CREATE TABLE "market_fetches" (
	"coin_key" integer NOT NULL,
	"level" smallint NOT NULL,
	"covered_from" bigint,
	"covered_until" bigint,
	"claimed_until" bigint DEFAULT 0 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"retry_at" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "market_fetches_coin_key_level_pk" PRIMARY KEY("coin_key","level")
);
--> statement-breakpoint
CREATE TABLE "market_points" (
	"coin_key" integer NOT NULL,
	"level" smallint NOT NULL,
	"bucket" integer NOT NULL,
	"usd" double precision NOT NULL,
	"samples" integer NOT NULL,
	CONSTRAINT "market_points_coin_key_level_bucket_pk" PRIMARY KEY("coin_key","level","bucket"),
	CONSTRAINT "market_points_usd" CHECK ("market_points"."usd" >= 0 AND "market_points"."usd" < 'Infinity'::float8)
);
--> statement-breakpoint
CREATE TABLE "market_prices" (
	"coin_key" integer PRIMARY KEY NOT NULL,
	"usd" double precision NOT NULL,
	"at" bigint NOT NULL,
	"seen_at" bigint NOT NULL,
	CONSTRAINT "market_prices_usd" CHECK ("market_prices"."usd" >= 0 AND "market_prices"."usd" < 'Infinity'::float8)
);
--> statement-breakpoint
CREATE TABLE "operations" (
	"owner_id" uuid NOT NULL,
	"op_id" uuid NOT NULL,
	"request_hash" text NOT NULL,
	"for_ever" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "operations_owner_id_op_id_pk" PRIMARY KEY("owner_id","op_id")
);
--> statement-breakpoint
CREATE TABLE "owners" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"anonymous_hash" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "owners_anonymous_hash_unique" UNIQUE("anonymous_hash"),
	CONSTRAINT "owners_kind" CHECK ("owners"."kind" IN ('guest', 'user')),
	CONSTRAINT "owners_guest_has_hash" CHECK (("owners"."kind" = 'guest') = ("owners"."anonymous_hash" IS NOT NULL))
);
--> statement-breakpoint
CREATE TABLE "widgets" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"owner_id" uuid NOT NULL,
	"display_order" integer NOT NULL,
	"coin_a_id" text NOT NULL,
	"coin_b_id" text NOT NULL,
	"high_threshold" double precision,
	"low_threshold" double precision,
	"notifications_enabled" boolean NOT NULL,
	"high_threshold_active" boolean DEFAULT true NOT NULL,
	"low_threshold_active" boolean DEFAULT true NOT NULL,
	"high_epoch" integer DEFAULT 0 NOT NULL,
	"low_epoch" integer DEFAULT 0 NOT NULL,
	"is_active" boolean NOT NULL,
	"created_by_op" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "widgets_owner_pair" UNIQUE("owner_id","coin_a_id","coin_b_id"),
	CONSTRAINT "widgets_owner_op" UNIQUE("owner_id","created_by_op"),
	CONSTRAINT "widgets_coins_differ" CHECK ("widgets"."coin_a_id" <> "widgets"."coin_b_id"),
	CONSTRAINT "widgets_order" CHECK ("widgets"."display_order" >= 0),
	CONSTRAINT "widgets_epochs" CHECK ("widgets"."high_epoch" >= 0 AND "widgets"."low_epoch" >= 0),
	CONSTRAINT "widgets_high_threshold" CHECK ("widgets"."high_threshold" > 0 AND "widgets"."high_threshold" < 'Infinity'::float8),
	CONSTRAINT "widgets_low_threshold" CHECK ("widgets"."low_threshold" > 0 AND "widgets"."low_threshold" < 'Infinity'::float8)
);
--> statement-breakpoint
ALTER TABLE "checkpoints" ADD CONSTRAINT "checkpoints_widget_id_widgets_id_fk" FOREIGN KEY ("widget_id") REFERENCES "public"."widgets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkpoints" ADD CONSTRAINT "checkpoints_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "market_fetches" ADD CONSTRAINT "market_fetches_coin_key_market_coins_key_fk" FOREIGN KEY ("coin_key") REFERENCES "public"."market_coins"("key") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "market_points" ADD CONSTRAINT "market_points_coin_key_market_coins_key_fk" FOREIGN KEY ("coin_key") REFERENCES "public"."market_coins"("key") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "market_prices" ADD CONSTRAINT "market_prices_coin_key_market_coins_key_fk" FOREIGN KEY ("coin_key") REFERENCES "public"."market_coins"("key") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operations" ADD CONSTRAINT "operations_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "widgets" ADD CONSTRAINT "widgets_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "checkpoints_widget_order" ON "checkpoints" USING btree ("widget_id","display_order");--> statement-breakpoint
CREATE UNIQUE INDEX "checkpoints_one_default" ON "checkpoints" USING btree ("widget_id") WHERE "checkpoints"."is_default";--> statement-breakpoint
CREATE INDEX "market_coins_asked" ON "market_coins" USING btree ("source","asked_at");--> statement-breakpoint
CREATE INDEX "operations_expiring" ON "operations" USING btree ("created_at") WHERE NOT "operations"."for_ever";--> statement-breakpoint
CREATE INDEX "widgets_owner_order" ON "widgets" USING btree ("owner_id","display_order");