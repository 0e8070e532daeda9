ALTER TABLE "refresh_tokens" ADD COLUMN "attempt" uuid;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "names_attempts" boolean DEFAULT false NOT NULL;