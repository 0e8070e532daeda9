CREATE FUNCTION "email_parts"(address text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000 AS $$
  SELECT coalesce(array_agg(DISTINCT substr(address, place, size)), '{}')
  FROM generate_series(1, length(address)) place, generate_series(2, 3) size WHERE place + size - 1 <= length(address)
$$;--> statement-breakpoint
CREATE INDEX "owners_users_made" ON "owners" USING btree ("created_at" DESC NULLS FIRST,"id") WHERE "owners"."kind" = 'user';--> statement-breakpoint
CREATE INDEX "users_email_parts" ON "users" USING gin (email_parts(lower("email" COLLATE "C")));--> statement-breakpoint
CREATE INDEX "users_premium" ON "users" USING btree ("id") WHERE "users"."has_premium_access";