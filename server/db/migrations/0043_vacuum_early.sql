-- Autovacuum comes once a hundredth of the rows is dead, not a fifth: retention takes about as much each day from tables that stand at
-- tens of millions of rows, and they would grow by a fifth before it frees any room.
ALTER TABLE "alert_events" SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);--> statement-breakpoint
ALTER TABLE "push_deliveries" SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);--> statement-breakpoint
ALTER TABLE "channel_deliveries" SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);--> statement-breakpoint
ALTER TABLE "operations" SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);--> statement-breakpoint
ALTER TABLE "audit_log" SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);--> statement-breakpoint
ALTER TABLE "market_points" SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
