CREATE TABLE "owner_revisions" (
	"owner_id" uuid PRIMARY KEY NOT NULL,
	"widgets" bigint DEFAULT 0 NOT NULL,
	"account" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "market_prices" ADD COLUMN "via" text;--> statement-breakpoint
ALTER TABLE "owner_revisions" ADD CONSTRAINT "owner_revisions_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE cascade ON UPDATE no action;