ALTER TABLE "market_coins" ADD COLUMN "kind" text;--> statement-breakpoint
ALTER TABLE "market_coins" ADD COLUMN "kind_at" bigint;