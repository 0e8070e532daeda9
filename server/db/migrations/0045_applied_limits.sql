CREATE TABLE "applied_limits" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"free" integer NOT NULL,
	"premium" integer NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "applied_limits_one_row" CHECK ("applied_limits"."id" = 1)
);
--> statement-breakpoint
CREATE INDEX "mail_requests_stuck" ON "mail_requests" USING btree ("requested_at") WHERE "mail_requests"."attempts" >= 3;