CREATE TABLE "address_counts" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"ends_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "vapid_keys" (
	"id" smallint PRIMARY KEY NOT NULL,
	"public_key" text NOT NULL,
	"private_key" text
);
--> statement-breakpoint
CREATE INDEX "address_counts_ends_at" ON "address_counts" USING btree ("ends_at");