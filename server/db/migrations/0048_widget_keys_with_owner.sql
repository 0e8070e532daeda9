-- compatible: the id alone is unique already, so these refuse no row.
CREATE UNIQUE INDEX IF NOT EXISTS "widgets_id_owner_id_pk" ON "widgets" USING btree ("id","owner_id");
