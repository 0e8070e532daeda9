-- compatible: a delivery to a browser that another owner has taken since, of releases that moved the row, leads nowhere: it was never sent.
DELETE FROM "push_deliveries" d USING "push_subscriptions" s WHERE s."id" = d."subscription_id" AND s."owner_id" <> d."owner_id";--> statement-breakpoint
ALTER TABLE "push_deliveries" VALIDATE CONSTRAINT "push_deliveries_event_fk";--> statement-breakpoint
ALTER TABLE "push_deliveries" VALIDATE CONSTRAINT "push_deliveries_subscription_fk";--> statement-breakpoint
ALTER TABLE "channel_deliveries" VALIDATE CONSTRAINT "channel_deliveries_event_fk";--> statement-breakpoint
ALTER TABLE "channel_deliveries" VALIDATE CONSTRAINT "channel_deliveries_channel_fk";--> statement-breakpoint
ALTER TABLE "alert_rules" VALIDATE CONSTRAINT "alert_rules_widget_fk";--> statement-breakpoint
ALTER TABLE "checkpoints" VALIDATE CONSTRAINT "checkpoints_widget_fk";
