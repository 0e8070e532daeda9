import type { OpId } from '../domain/ids'
import type { CommandContext } from './command'
import { canonical } from './ids'
import { isKnown, isLive, isUnsent, rulesOf } from './kinds/registry'
import type { BroughtPair, Entry, Kind, Payloads } from './outbox-entry'
import type { Snapshot } from './snapshot'

export interface NewEntry<K extends Kind> {
  readonly kind: K
  readonly payload: Payloads[K]
  /** What the user calls the thing. */
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
export async function appendEntry<K extends Kind>(
  context: CommandContext,
  snapshot: Pick<Snapshot, 'owner'>,
  { kind, payload, label, notBefore = 0, group = null, failure, success, opId, brings }: NewEntry<K>,
): Promise<void> {
  await context.db.outbox.add({
    op_id: opId ?? (context.uuid() as OpId),
    owner: snapshot.owner,
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
    label,
    ...(failure !== undefined && { failure }),
    ...(success !== undefined && { success }),
    ...(brings !== undefined && { brings }),
    kind,
    payload,
  } as unknown as Entry)
}

/** Lets the last entry of the same kind and widget absorb the change if it was never sent, else appends it. */
export async function absorbOrAppend<K extends Kind>(
  context: CommandContext,
  snapshot: Pick<Snapshot, 'owner' | 'entries' | 'ids'>,
  entry: NewEntry<K>,
): Promise<void> {
  const widgetOf = (one: { kind: Kind; payload: Payloads[Kind] }): string | null => {
    const widget = rulesOf(one as Entry).widget(one.payload)
    return widget === null ? null : canonical(snapshot.ids, widget)
  }
  // The last of them all: a change that was refused and is tried again stands behind unsent ones, and is only followed.
  const earlier = snapshot.entries.findLast(
    (one) => one.kind === entry.kind && isLive(one) && widgetOf(one) === widgetOf(entry),
  )
  // The mutations that bring a guest's pair along may be taken back as a whole; the user's own since then may not.
  const open = earlier !== undefined && isUnsent(earlier) && earlier.brings === undefined
  const payload = open ? rulesOf(earlier).absorb(earlier.payload, entry.payload) : null
  if (earlier === undefined || payload === null) await appendEntry(context, snapshot, entry)
  else await context.db.outbox.put({ ...earlier, payload } as Entry)
}

/**
 * Takes back a create that was never sent, together with every entry that makes no sense without it; lists lose its id.
 * An entry that names a temporary id waits for it, so none of those can have been sent either.
 */
export async function cancelCreate(
  context: Pick<CommandContext, 'db'>,
  snapshot: Pick<Snapshot, 'entries'>,
  create: Entry,
): Promise<void> {
  const { outbox } = context.db
  const temp = rulesOf(create).makes(create.payload)
  await outbox.delete(create.seq!)
  if (temp === null) return
  for (const entry of snapshot.entries) {
    if (entry === create || !isKnown(entry)) continue
    const rules = rulesOf(entry)
    if (rules.subjects(entry.payload).includes(temp)) {
      const dependent = rules.makes(entry.payload)
      await outbox.delete(entry.seq!)
      if (dependent !== null) await cancelCreate(context, snapshot, entry)
    } else if (rules.mentions(entry.payload).includes(temp)) {
      await outbox.put({ ...entry, payload: rules.without(entry.payload, temp) } as Entry)
    }
  }
}
