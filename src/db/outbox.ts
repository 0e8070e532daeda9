import { type OpId, tempCheckpointId, tempRuleId, type WidgetId } from '../domain/ids'
import { isRuleKind } from '../domain/rule-words'
import type { SetupPair, SetupRule } from '../domain/setup-file'
import { accountOf } from './account'
import { canonical, isSamePair, type KnownIds, type OptimisticRule, type OptimisticWidget } from './board'
import { readEntries } from './board-rows'
import type { CommandContext } from './command'
import type { LocalDatabase } from './database'
import type { BroughtPair, MutationKind, OutboxEntry, Payloads } from './outbox-entry'
import { forgetLost, readLost } from './lost-pairs'
import { isKnown, isLive, isUnsent, mutationTypeOf } from './mutations/mutation-types'
import { pairName, type Snapshot } from './snapshot'
import { requestsFor, settingsInFile, settingsOfFile } from './widget-settings'

export interface NewEntry<K extends MutationKind> {
  readonly kind: K
  readonly payload: Payloads[K]
  /** The user's name for the thing. */
  readonly label: string
  /** Milliseconds; absent: at once. */
  readonly notBefore?: number
  readonly group?: string | null
  readonly failure?: string
  readonly success?: string
  /** The Idempotency-Key; absent: a new one. */
  readonly opId?: OpId
  readonly brings?: BroughtPair
}

/** Appends what the user did; runs inside the command's transaction. */
export async function appendEntry<K extends MutationKind>(
  context: CommandContext,
  { owner }: Pick<Snapshot, 'owner'>,
  { opId = context.uuid() as OpId, group = null, notBefore = 0, ...rest }: NewEntry<K>,
): Promise<void> {
  await context.db.outbox.add({
    op_id: opId,
    owner,
    group,
    created_at: context.now(),
    attempts: 0,
    failures: 0,
    not_before: notBefore,
    state: 'waiting',
    lease: null,
    leased_since: null,
    failed_at: null,
    last_error: null,
    ...rest,
  } as unknown as OutboxEntry)
}

/**
 * Lets the last entry of the same kind and widget take in the change if it was never sent, else appends it. An entry that
 * was held for its Undo is held no longer: it has a change in it that Undo is not to take back.
 */
export async function mergeOrAppend<K extends MutationKind>(
  context: CommandContext,
  snapshot: Pick<Snapshot, 'owner' | 'entries' | 'ids'>,
  entry: NewEntry<K>,
): Promise<void> {
  const widgetOf = (one: { kind: MutationKind; payload: Payloads[MutationKind] }): string | null => {
    const widget = mutationTypeOf(one as OutboxEntry).widget(one.payload)
    return widget === null ? null : canonical(snapshot.ids, widget)
  }
  // The last of them all: a change that was refused and is tried again stands behind unsent ones, and is only followed.
  const earlier = snapshot.entries.findLast(
    (one) => one.kind === entry.kind && isLive(one) && widgetOf(one) === widgetOf(entry),
  )
  // Mutations that make a whole pair may be taken back as a whole; the user's own since then may not.
  const open = earlier !== undefined && isUnsent(earlier) && earlier.group === null
  const payload = open ? mutationTypeOf(earlier).mergeWith(earlier.payload, entry.payload) : null
  if (earlier === undefined || payload === null) await appendEntry(context, snapshot, entry)
  else await context.db.outbox.put({ ...earlier, payload, not_before: entry.notBefore ?? 0 } as OutboxEntry)
}

/**
 * Takes back a create that was never sent, together with every entry that makes no sense without it; lists lose its id.
 * An entry that names a temporary id waits for it, so none of those can have been sent either.
 */
export async function cancelCreate(
  context: Pick<CommandContext, 'db'>,
  snapshot: Pick<Snapshot, 'entries'>,
  create: OutboxEntry,
): Promise<void> {
  const { outbox } = context.db
  const temp = mutationTypeOf(create).createsId(create.payload)
  await outbox.delete(create.seq!)
  if (temp === null) return
  for (const entry of snapshot.entries) {
    if (entry === create || !isKnown(entry)) continue
    const rules = mutationTypeOf(entry)
    if (rules.requires(entry.payload).includes(temp)) {
      const dependent = rules.createsId(entry.payload)
      await outbox.delete(entry.seq!)
      if (dependent !== null) await cancelCreate(context, snapshot, entry)
    } else if (rules.references(entry.payload).includes(temp)) {
      await outbox.put({ ...entry, payload: rules.withoutReference(entry.payload, temp) } as OutboxEntry)
    }
  }
}

/**
 * Removes a pair from an owner's board; runs inside a transaction. The pair's create and this cancel out while the
 * create was never sent.
 * @param label what the user calls the pair
 */
export async function removeShown(
  context: CommandContext,
  snapshot: Pick<Snapshot, 'owner' | 'rows' | 'entries' | 'ids'>,
  widget: OptimisticWidget,
  label: string,
): Promise<void> {
  // The server has nothing to remove any more.
  const lost = (await readLost(context.db, snapshot.owner)).filter((row) => row.id === widget.id)
  if (lost.length > 0) return forgetLost(context.db, lost, snapshot)
  const creates = snapshot.entries.filter(
    (entry) => entry.kind === 'widget.create@1' && isUnsent(entry) && isSamePair(entry.payload.body, widget),
  )
  for (const create of creates) await cancelCreate(context, snapshot, create)
  // A create that was shown as a server row's pair leaves that row behind, which has to go as well.
  if (snapshot.rows.some((row) => row.id === widget.id) || creates.length === 0) {
    await mergeOrAppend(context, snapshot, { kind: 'widget.delete@1', payload: { widget: widget.id }, label })
  }
}

/** Appends entries that stand or fall together. */
export async function appendTogether(
  context: CommandContext,
  snapshot: Snapshot,
  entries: readonly NewEntry<MutationKind>[],
): Promise<void> {
  const group = entries.length > 1 ? context.uuid() : null
  for (const entry of entries) await appendEntry(context, snapshot, { ...entry, group })
}

/** A pair with its settings and checkpoints, as a setup's file and `appendPair` have it. */
export const setupPairOf = (widget: OptimisticWidget): SetupPair => ({
  base: widget.coin_a_id,
  quote: widget.coin_b_id,
  ...settingsInFile(widget),
  checkpoints: widget.checkpoints.map(({ ratio, prices, timestamp, is_default }) => ({
    ratio,
    ...(prices !== undefined && { prices }),
    saved_at: new Date(timestamp).toISOString(),
    is_default,
  })),
  rules: widget.rules.flatMap(ruleBodyOf),
})

/** The body that makes a rule as this one is; none of a kind that this version does not know. */
export function ruleBodyOf({ kind, ...rule }: OptimisticRule): readonly SetupRule[] {
  if (!isRuleKind(kind)) return []
  const { level, margin, hold_minutes, repeat, expires_at, loudness, note } = rule
  const window = rule.window as SetupRule['window']
  return [{ kind, level, window, margin, hold_minutes, repeat, expires_at, loudness, note }]
}

/**
 * Appends what makes a pair with its settings and checkpoints, as a group.
 * @param widget the pair's temporary id
 */
export async function appendPair(
  context: CommandContext,
  snapshot: Snapshot,
  widget: WidgetId,
  { base, quote, checkpoints, rules, ...settings }: SetupPair,
): Promise<void> {
  const label = pairName(snapshot, base, quote)
  const { create, update } = requestsFor(settingsOfFile(settings))
  const body = { coin_a_id: base, coin_b_id: quote, ...create }
  const entries: NewEntry<MutationKind>[] = [{ kind: 'widget.create@1', payload: { widget, body }, label }]
  if (update !== null) entries.push({ kind: 'widget.update@1', payload: { widget, body: update }, label })
  const isGuest = accountOf(snapshot.session) === 'guest'
  for (const { ratio, prices, saved_at, is_default } of checkpoints) {
    const checkpoint = tempCheckpointId(context.uuid())
    const saved = {
      ratio,
      ...(prices !== undefined && { prices }),
      timestamp: saved_at,
      is_default: isGuest || is_default,
    }
    entries.push({
      kind: isGuest ? 'checkpoint.anonymous-create@1' : 'checkpoint.create@1',
      payload: { widget, checkpoint, body: saved },
      label,
      failure: 'Failed to save checkpoint',
    })
  }
  for (const body of rules) {
    entries.push({ kind: 'rule.create@1', payload: { widget, rule: tempRuleId(context.uuid()), body }, label })
  }
  await appendTogether(context, snapshot, entries)
}

/**
 * Ends the making of a whole pair that the owner has already, made elsewhere: that one stays as it is. Another device may
 * have loaded the same setup, and a guest keeps the pair that was to be brought along. The create has left the outbox; the
 * entries behind it were never sent.
 */
export async function keepOwnPair(db: LocalDatabase, { owner, group }: OutboxEntry): Promise<void> {
  if (group === null) return
  const rest = (await readEntries(db, owner)).filter((one) => one.group === group)
  await db.outbox.bulkDelete(rest.map((one) => one.seq!))
}

/** Whether an unanswered entry of this device deletes the widget. */
export const isMarkedForDeletion = (id: string, queue: readonly OutboxEntry[], ids: KnownIds): boolean =>
  queue.some((entry) => isRemovalOf(id, entry, ids))

export const isRemovalOf = (id: string, entry: OutboxEntry, ids: KnownIds): boolean =>
  entry.kind === 'widget.delete@1' && isLive(entry) && canonical(ids, entry.payload.widget) === id
