ALTER TABLE "push_deliveries" ADD COLUMN "shown_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD COLUMN "receipt_hash" text;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD COLUMN "shown_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_receipt_hash_unique" UNIQUE("receipt_hash");