CREATE TABLE "alert_channels" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"owner_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"name" text,
	"url" text,
	"preset" text,
	"bearer" text,
	"secret" text,
	"previous_secret" text,
	"previous_until" timestamp (3) with time zone,
	"chat_id" text,
	"link_hash" text,
	"link_expires_at" timestamp (3) with time zone,
	"created_by_op" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_success_at" timestamp (3) with time zone,
	"last_failure_at" timestamp (3) with time zone,
	"last_failure_reason" text,
	"failing_since" timestamp (3) with time zone,
	"free_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "alert_channels_link_hash_unique" UNIQUE("link_hash"),
	CONSTRAINT "alert_channels_webhook" CHECK (("alert_channels"."kind" = 'webhook') = ("alert_channels"."url" IS NOT NULL))
);
--> statement-breakpoint
CREATE TABLE "channel_deliveries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"event_id" uuid NOT NULL,
	"channel_id" uuid NOT NULL,
	"outcome" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"batch" uuid,
	CONSTRAINT "channel_deliveries_event_channel" UNIQUE("event_id","channel_id"),
	CONSTRAINT "channel_deliveries_ended" CHECK (("channel_deliveries"."outcome" = 'waiting') = ("channel_deliveries"."ended_at" IS NULL))
);
--> statement-breakpoint
ALTER TABLE "alert_channels" ADD CONSTRAINT "alert_channels_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_deliveries" ADD CONSTRAINT "channel_deliveries_event_id_alert_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."alert_events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_deliveries" ADD CONSTRAINT "channel_deliveries_channel_id_alert_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."alert_channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alert_channels_owner" ON "alert_channels" USING btree ("owner_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "alert_channels_email" ON "alert_channels" USING btree ("owner_id") WHERE "alert_channels"."kind" = 'email';--> statement-breakpoint
CREATE INDEX "alert_channels_chat" ON "alert_channels" USING btree ("chat_id") WHERE "alert_channels"."chat_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "channel_deliveries_due" ON "channel_deliveries" USING btree ("next_attempt_at") WHERE "channel_deliveries"."outcome" = 'waiting';--> statement-breakpoint
CREATE INDEX "channel_deliveries_channel" ON "channel_deliveries" USING btree ("channel_id","batch");--> statement-breakpoint
CREATE INDEX "channel_deliveries_batch" ON "channel_deliveries" USING btree ("batch") WHERE "channel_deliveries"."outcome" = 'queued';--> statement-breakpoint
CREATE INDEX "channel_deliveries_ended" ON "channel_deliveries" USING btree ("ended_at");