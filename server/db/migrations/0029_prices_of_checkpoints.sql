ALTER TABLE "checkpoints" ADD COLUMN "price_a" double precision;--> statement-breakpoint
ALTER TABLE "checkpoints" ADD COLUMN "price_b" double precision;--> statement-breakpoint
ALTER TABLE "checkpoints" ADD CONSTRAINT "checkpoints_price_a" CHECK ("checkpoints"."price_a" > 0 AND "checkpoints"."price_a" < 'Infinity'::float8);--> statement-breakpoint
ALTER TABLE "checkpoints" ADD CONSTRAINT "checkpoints_price_b" CHECK ("checkpoints"."price_b" > 0 AND "checkpoints"."price_b" < 'Infinity'::float8);--> statement-breakpoint
ALTER TABLE "checkpoints" ADD CONSTRAINT "checkpoints_both_prices" CHECK (("checkpoints"."price_a" IS NULL) = ("checkpoints"."price_b" IS NULL));