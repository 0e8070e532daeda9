ALTER TABLE "push_deliveries" ADD COLUMN "owner_id" uuid;--> statement-breakpoint
ALTER TABLE "channel_deliveries" ADD COLUMN "owner_id" uuid;--> statement-breakpoint
CREATE FUNCTION "own_delivery"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- A release before the column makes deliveries without it.
  NEW.owner_id := (SELECT owner_id FROM alert_events WHERE id = NEW.event_id);
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "own_delivery" BEFORE INSERT ON "push_deliveries" FOR EACH ROW WHEN (NEW."owner_id" IS NULL) EXECUTE FUNCTION "own_delivery"();--> statement-breakpoint
CREATE TRIGGER "own_delivery" BEFORE INSERT ON "channel_deliveries" FOR EACH ROW WHEN (NEW."owner_id" IS NULL) EXECUTE FUNCTION "own_delivery"();--> statement-breakpoint
CREATE FUNCTION "forget_deliveries"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- A release before the column gives a browser to another owner, and its deliveries are the former owner's.
  DELETE FROM push_deliveries WHERE subscription_id = OLD.id;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "forget_deliveries" BEFORE UPDATE OF "owner_id" ON "push_subscriptions" FOR EACH ROW WHEN (OLD."owner_id" IS DISTINCT FROM NEW."owner_id") EXECUTE FUNCTION "forget_deliveries"();
