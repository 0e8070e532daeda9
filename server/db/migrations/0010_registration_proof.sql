ALTER TABLE "users" ADD COLUMN "password_proven" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "registration_hash" text;--> statement-breakpoint
CREATE INDEX "users_unverified" ON "users" USING btree ("id") WHERE "users"."email_verified_at" IS NULL;