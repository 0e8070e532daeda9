ALTER TABLE "owner_revisions" ADD COLUMN "changed_in" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "owner_revisions_changed" ON "owner_revisions" USING btree ("changed_in") WHERE "owner_revisions"."changed_in" > 0;
--> statement-breakpoint
CREATE FUNCTION "note_change_of_owner"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_in := pg_current_xact_id()::text::bigint;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "note_change_of_owner" BEFORE INSERT OR UPDATE ON "owner_revisions"
FOR EACH ROW EXECUTE FUNCTION "note_change_of_owner"();
