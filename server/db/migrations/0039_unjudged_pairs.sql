CREATE TABLE "unjudged_pairs" (
	"pair_id" integer PRIMARY KEY NOT NULL,
	"side" text NOT NULL,
	"begun_at" timestamp (3) with time zone NOT NULL,
	"looks" integer NOT NULL,
	"looked_at" timestamp (3) with time zone NOT NULL,
	"told" boolean DEFAULT false NOT NULL,
	"after_widget" uuid
);
--> statement-breakpoint
ALTER TABLE "unjudged_pairs" ADD CONSTRAINT "unjudged_pairs_pair_id_pairs_id_fk" FOREIGN KEY ("pair_id") REFERENCES "public"."pairs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "unjudged_pairs_untold" ON "unjudged_pairs" USING btree ("looks") WHERE NOT "unjudged_pairs"."told";