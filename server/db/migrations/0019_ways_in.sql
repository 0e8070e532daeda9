ALTER TABLE "mail_requests" ADD COLUMN "passkey_id" uuid;--> statement-breakpoint
ALTER TABLE "mail_tokens" ADD COLUMN "passkey_id" uuid;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "owner_proven" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "google_added_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "mail_requests" ADD CONSTRAINT "mail_requests_passkey_id_passkeys_id_fk" FOREIGN KEY ("passkey_id") REFERENCES "public"."passkeys"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_tokens" ADD CONSTRAINT "mail_tokens_passkey_id_passkeys_id_fk" FOREIGN KEY ("passkey_id") REFERENCES "public"."passkeys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mail_requests_passkey" ON "mail_requests" USING btree ("passkey_id");--> statement-breakpoint
CREATE INDEX "mail_tokens_passkey" ON "mail_tokens" USING btree ("passkey_id");