CREATE TABLE "market_closes" (
	"coin_key" integer NOT NULL,
	"day" integer NOT NULL,
	"usd" double precision NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "market_closes_coin_key_day_pk" PRIMARY KEY("coin_key","day"),
	CONSTRAINT "market_closes_usd" CHECK ("market_closes"."usd" >= 0 AND "market_closes"."usd" < 'Infinity'::float8)
);
--> statement-breakpoint
ALTER TABLE "market_coins" ADD COLUMN "closes_asked_at" bigint;--> statement-breakpoint
ALTER TABLE "market_coins" ADD COLUMN "closes_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "market_closes" ADD CONSTRAINT "market_closes_coin_key_market_coins_key_fk" FOREIGN KEY ("coin_key") REFERENCES "public"."market_coins"("key") ON DELETE cascade ON UPDATE no action;