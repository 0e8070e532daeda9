ALTER TABLE "mail_tokens" DROP CONSTRAINT "mail_tokens_passkey_id_passkeys_id_fk";
--> statement-breakpoint
ALTER TABLE "mail_tokens" ADD CONSTRAINT "mail_tokens_passkey_id_passkeys_id_fk" FOREIGN KEY ("passkey_id") REFERENCES "public"."passkeys"("id") ON DELETE set null ON UPDATE no action;