-- compatible: statements name no key but "alert_events_crossing", which keeps its name; what is unique stays so.
ALTER TABLE "push_deliveries" DROP CONSTRAINT "push_deliveries_event_id_alert_events_id_fk";--> statement-breakpoint
ALTER TABLE "push_deliveries" DROP CONSTRAINT "push_deliveries_subscription_id_push_subscriptions_id_fk";--> statement-breakpoint
ALTER TABLE "channel_deliveries" DROP CONSTRAINT "channel_deliveries_event_id_alert_events_id_fk";--> statement-breakpoint
ALTER TABLE "channel_deliveries" DROP CONSTRAINT "channel_deliveries_channel_id_alert_channels_id_fk";--> statement-breakpoint
ALTER TABLE "alert_rules" DROP CONSTRAINT "alert_rules_widget_id_widgets_id_fk";--> statement-breakpoint
ALTER TABLE "checkpoints" DROP CONSTRAINT "checkpoints_widget_id_widgets_id_fk";--> statement-breakpoint
ALTER TABLE "widgets" DROP CONSTRAINT "widgets_pkey";--> statement-breakpoint
ALTER TABLE "widgets" ADD CONSTRAINT "widgets_id_owner_id_pk" PRIMARY KEY USING INDEX "widgets_id_owner_id_pk";--> statement-breakpoint
ALTER TABLE "alert_rules" DROP CONSTRAINT "alert_rules_pkey";--> statement-breakpoint
ALTER TABLE "alert_rules" ADD CONSTRAINT "alert_rules_id_owner_id_pk" PRIMARY KEY USING INDEX "alert_rules_id_owner_id_pk";--> statement-breakpoint
ALTER TABLE "checkpoints" DROP CONSTRAINT "checkpoints_pkey";--> statement-breakpoint
ALTER TABLE "checkpoints" ADD CONSTRAINT "checkpoints_id_owner_id_pk" PRIMARY KEY USING INDEX "checkpoints_id_owner_id_pk";--> statement-breakpoint
ALTER TABLE "alert_events" DROP CONSTRAINT "alert_events_pkey";--> statement-breakpoint
ALTER TABLE "alert_events" ADD CONSTRAINT "alert_events_id_owner_id_pk" PRIMARY KEY USING INDEX "alert_events_id_owner_id_pk";--> statement-breakpoint
ALTER TABLE "alert_channels" DROP CONSTRAINT "alert_channels_pkey";--> statement-breakpoint
ALTER TABLE "alert_channels" ADD CONSTRAINT "alert_channels_id_owner_id_pk" PRIMARY KEY USING INDEX "alert_channels_id_owner_id_pk";--> statement-breakpoint
ALTER TABLE "push_subscriptions" DROP CONSTRAINT "push_subscriptions_pkey";--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_id_owner_id_pk" PRIMARY KEY USING INDEX "push_subscriptions_id_owner_id_pk";--> statement-breakpoint
ALTER TABLE "push_deliveries" DROP CONSTRAINT "push_deliveries_pkey";--> statement-breakpoint
ALTER TABLE "push_deliveries" ADD CONSTRAINT "push_deliveries_id_owner_id_pk" PRIMARY KEY USING INDEX "push_deliveries_id_owner_id_pk";--> statement-breakpoint
ALTER TABLE "channel_deliveries" DROP CONSTRAINT "channel_deliveries_pkey";--> statement-breakpoint
ALTER TABLE "channel_deliveries" ADD CONSTRAINT "channel_deliveries_id_owner_id_pk" PRIMARY KEY USING INDEX "channel_deliveries_id_owner_id_pk";--> statement-breakpoint
ALTER TABLE "alert_events" DROP CONSTRAINT "alert_events_crossing";--> statement-breakpoint
ALTER TABLE "alert_events" ADD CONSTRAINT "alert_events_crossing" UNIQUE USING INDEX "alert_events_crossing_of_owner";--> statement-breakpoint
ALTER TABLE "push_deliveries" DROP CONSTRAINT "push_deliveries_event_subscription";--> statement-breakpoint
ALTER TABLE "push_deliveries" ADD CONSTRAINT "push_deliveries_event_subscription" UNIQUE USING INDEX "push_deliveries_event_subscription_of_owner";--> statement-breakpoint
ALTER TABLE "channel_deliveries" DROP CONSTRAINT "channel_deliveries_event_channel";--> statement-breakpoint
ALTER TABLE "channel_deliveries" ADD CONSTRAINT "channel_deliveries_event_channel" UNIQUE USING INDEX "channel_deliveries_event_channel_of_owner";--> statement-breakpoint
DROP INDEX "checkpoints_one_default";--> statement-breakpoint
ALTER INDEX "checkpoints_one_default_of_owner" RENAME TO "checkpoints_one_default";--> statement-breakpoint
ALTER TABLE "push_subscriptions" DROP CONSTRAINT "push_subscriptions_receipt_hash_unique";--> statement-breakpoint
ALTER TABLE "alert_channels" DROP CONSTRAINT "alert_channels_link_hash_unique";--> statement-breakpoint
ALTER TABLE "push_deliveries" ADD CONSTRAINT "push_deliveries_event_fk" FOREIGN KEY ("event_id","owner_id") REFERENCES "public"."alert_events"("id","owner_id") ON DELETE cascade ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "push_deliveries" ADD CONSTRAINT "push_deliveries_subscription_fk" FOREIGN KEY ("subscription_id","owner_id") REFERENCES "public"."push_subscriptions"("id","owner_id") ON DELETE cascade ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "channel_deliveries" ADD CONSTRAINT "channel_deliveries_event_fk" FOREIGN KEY ("event_id","owner_id") REFERENCES "public"."alert_events"("id","owner_id") ON DELETE cascade ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "channel_deliveries" ADD CONSTRAINT "channel_deliveries_channel_fk" FOREIGN KEY ("channel_id","owner_id") REFERENCES "public"."alert_channels"("id","owner_id") ON DELETE cascade ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "alert_rules" ADD CONSTRAINT "alert_rules_widget_fk" FOREIGN KEY ("widget_id","owner_id") REFERENCES "public"."widgets"("id","owner_id") ON DELETE cascade ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "checkpoints" ADD CONSTRAINT "checkpoints_widget_fk" FOREIGN KEY ("widget_id","owner_id") REFERENCES "public"."widgets"("id","owner_id") ON DELETE cascade ON UPDATE no action NOT VALID;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "write_threshold_rules"() RETURNS trigger LANGUAGE plpgsql AS $$
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
    SELECT (r.pair_id, r.level, r.margin, r.hold_minutes, r.armed, r.epoch, r.due_at, r.watched)
      IS NOT DISTINCT FROM (w.pair_id, rule.level, w.alert_margin, w.alert_hold_minutes, rule.armed, rule.epoch,
        rule.due_at, w.is_active AND w.notifications_enabled)
    FROM alert_rules r WHERE r.id = rule.id AND r.owner_id = w.owner_id
  ) IS NOT TRUE
  ON CONFLICT (id, owner_id) DO UPDATE SET pair_id = excluded.pair_id, level = excluded.level,
    margin = excluded.margin, hold_minutes = excluded.hold_minutes, armed = excluded.armed, epoch = excluded.epoch,
    due_at = excluded.due_at, watched = excluded.watched;
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM alert_rules WHERE id = ANY (ARRAY (
      SELECT md5(w.id || ':' || rule.kind)::uuid
      FROM written w CROSS JOIN LATERAL (VALUES ('above', w.high_threshold), ('below', w.low_threshold)) AS rule (kind, level)
      WHERE rule.level IS NULL));
  END IF;
  RETURN NULL;
END $$;
