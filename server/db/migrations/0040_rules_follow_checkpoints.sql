CREATE FUNCTION "anchor_rules"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- As `turnsOf`, whichever version has written the checkpoints; between bounds within which no product is too large or too small.
  -- Bounds of a rule that has lost its checkpoint are left as wide as they are: widgets are removed in any order, without a hold on them.
  WITH held AS MATERIALIZED (
    SELECT r.id, kind.sign, kind.sign * c.ratio AS anchor,
      kind.sign * CASE WHEN c.ratio < 1e-290 THEN 1e-290 WHEN c.ratio > 1e290 THEN 1e290 ELSE c.ratio END AS base
    FROM alert_rules r JOIN (VALUES ('since_checkpoint_up', 1), ('since_checkpoint_down', -1)) AS kind (name, sign) ON kind.name = r.kind
    LEFT JOIN checkpoints c ON c.widget_id = r.widget_id AND c.is_default
    WHERE r.widget_id = ANY (ARRAY (SELECT DISTINCT widget_id FROM written)) ORDER BY r.id FOR UPDATE OF r
  ), changed AS (
    UPDATE alert_rules r SET anchor = held.anchor, due_at = NULL,
      above = CASE WHEN r.armed AND NOT r.ended THEN held.base * (1 + held.sign * (r.level / 100)) END,
      below = CASE WHEN NOT r.armed AND NOT r.ended THEN held.base * (1 + held.sign * ((r.level - r.margin) / 100)) END
    FROM held WHERE r.id = held.id AND r.anchor IS DISTINCT FROM held.anchor
    RETURNING r.pair_id, r.measure, r.above, r.below
  )
  INSERT INTO rule_bounds AS b (pair_id, measure, above, below)
  SELECT pair_id, measure, min(above), max(below) FROM changed WHERE above IS NOT NULL OR below IS NOT NULL
  GROUP BY pair_id, measure ORDER BY pair_id, measure
  ON CONFLICT (pair_id, measure) DO UPDATE SET above = least(b.above, excluded.above), below = greatest(b.below, excluded.below);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "anchor_rules_of_new" AFTER INSERT ON "checkpoints" REFERENCING NEW TABLE AS written
FOR EACH STATEMENT EXECUTE FUNCTION "anchor_rules"();--> statement-breakpoint
CREATE TRIGGER "anchor_rules_of_changed" AFTER UPDATE ON "checkpoints" REFERENCING NEW TABLE AS written
FOR EACH STATEMENT EXECUTE FUNCTION "anchor_rules"();--> statement-breakpoint
CREATE TRIGGER "anchor_rules_of_removed" AFTER DELETE ON "checkpoints" REFERENCING OLD TABLE AS written
FOR EACH STATEMENT EXECUTE FUNCTION "anchor_rules"();
