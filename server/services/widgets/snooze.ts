import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { SnoozeBody, Widget } from '../../../src/contract/widget'
import { ALERT_SIDES } from '../../../src/domain/alerts'
import type { Queryable } from '../../db/open'
import { alert_rules, type widgets } from '../../db/schema/widgets'

/*
 * A snooze ends at its time. One "until it is back" ends besides once an alert of the pair is armed again, by the ratio or by its
 * owner: each arming begins an epoch, so the sum of the pair's epochs is another then. No judging writes anything for it.
 */

type StoredWidget = typeof widgets.$inferSelect
type SnoozeColumns = Pick<StoredWidget, 'snoozed_until' | 'snoozed_epochs'>

/** True while the widget `w` is snoozed; false where `w` is no row. */
export const isSnoozedInSql = (now: Date) => sql`COALESCE(w.snoozed_until > ${now} AND (w.snoozed_epochs IS NULL
    OR w.snoozed_epochs = w.high_epoch + w.low_epoch + COALESCE((
      SELECT sum(r.epoch) FROM alert_rules r WHERE r.widget_id = w.id AND r.measure IS NOT NULL), 0)), false)`

const NOT_SNOOZED: SnoozeColumns = { snoozed_until: null, snoozed_epochs: null }

/** Columns that a change sets, of a widget that it holds and has changed otherwise. */
export async function snoozeColumns(
  tx: Queryable,
  widget: StoredWidget,
  { snoozed_until: until, snoozed_until_back = false }: SnoozeBody,
): Promise<Partial<SnoozeColumns>> {
  if (until === undefined) return {}
  if (until === null) return NOT_SNOOZED
  const snoozed_until = new Date(until)
  if (!snoozed_until_back) return { snoozed_until, snoozed_epochs: null }
  const rules = await tx
    .select({ armed: alert_rules.armed, epoch: alert_rules.epoch })
    .from(alert_rules)
    .where(
      and(
        eq(alert_rules.widget_id, widget.id),
        eq(alert_rules.owner_id, widget.owner_id),
        isNotNull(alert_rules.measure),
      ),
    )
  const hasFired =
    ALERT_SIDES.some((side) => widget[`${side}_threshold`] !== null && !widget[`${side}_threshold_active`]) ||
    rules.some(({ armed }) => !armed)
  return hasFired ? { snoozed_until, snoozed_epochs: epochsOf(widget, rules) } : NOT_SNOOZED
}

/** Fields of an answer: none where the widget is not snoozed, or is back. */
export function snoozeAnswer(
  widget: Pick<StoredWidget, 'snoozed_until' | 'snoozed_epochs' | 'high_epoch' | 'low_epoch'>,
  rules: readonly { readonly epoch: number }[],
): Pick<Widget, keyof SnoozeBody> {
  const { snoozed_until, snoozed_epochs } = widget
  if (snoozed_until === null || (snoozed_epochs !== null && snoozed_epochs !== epochsOf(widget, rules))) return {}
  return { snoozed_until: snoozed_until.toISOString(), ...(snoozed_epochs !== null && { snoozed_until_back: true }) }
}

const epochsOf = (
  { high_epoch, low_epoch }: Pick<StoredWidget, 'high_epoch' | 'low_epoch'>,
  rules: readonly { readonly epoch: number }[],
): number => rules.reduce((sum, { epoch }) => sum + epoch, high_epoch + low_epoch)
