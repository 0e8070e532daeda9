import { canonical, isSamePair } from '../../../src/db/board'
import { isMarkedForDeletion, isRemovalOf } from '../../../src/db/outbox'
import type { OutboxEntry } from '../../../src/db/outbox-entry'
import type { WidgetRow } from '../../../src/db/rows'
import { mutationTypeOf } from '../../../src/db/mutations/mutation-types'
import type { Seen } from '../support/network'
import { DAY } from '../../../src/domain/granularity'
import type { MayTake } from './taken-back'
import { Violation } from './violation'

interface Account {
  entry: OutboxEntry
  /** The operation that the server executed, if it did. */
  executed: { readonly body: unknown } | null
  /** The server said that the thing is gone, or that the pair is there. */
  verdict: boolean
  /** True time (ms) at which it was first seen refused; null: it is not. */
  failedAt: number | null
  /** The server has forgotten what it did for the owner. */
  forgotten: boolean
  /** It has left the outbox. */
  ended: boolean
  /** The user has taken back the command that had swallowed it: what came after it concerns another thing. */
  restored: boolean
}

/** Follows every entry from the outbox to the server and out of the outbox again. */
export interface Ledger {
  /**
   * @param mayTake what the user's act since the last look may have taken back
   * @param now true time, milliseconds
   */
  readonly follow: (
    entries: readonly OutboxEntry[],
    ids: ReadonlyMap<string, string>,
    mayTake: MayTake,
    now: number,
  ) => void
  /**
   * A guest's pairs are in this browser only: what the server has lost stays, until the guest says what is to become of it.
   * @param rows the guest's, as the server last gave them
   * @param byUser whether the guest has done something since the last look
   */
  readonly keep: (rows: readonly WidgetRow[], ids: ReadonlyMap<string, string>, byUser: boolean) => void
  readonly seen: (seen: Seen) => void
  /** The server has lost what it did for this owner, with the keys: it may do all of that anew. */
  readonly lose: (owner: string) => void
  /** The owner of the entry with this key. */
  readonly ownerOf: (key: string) => string | undefined
}

/** Milliseconds for which a refused change can be seen. */
const REFUSED_KEPT = 7 * DAY

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

export function createLedger(): Ledger {
  const accounts = new Map<string, Account>()
  const lastSeq = new Map<string, number>()
  let kept: readonly WidgetRow[] = []

  const ended = (account: Account, ids: ReadonlyMap<string, string>, now: number): void => {
    const { entry, executed, verdict, failedAt, forgotten } = account
    const name = `${entry.kind} ${entry.label} (${entry.op_id})`
    if (executed !== null) {
      const body = mutationTypeOf(entry).request(entry.payload, ids).body ?? null
      if (body !== null && sorted(body) !== sorted(executed.body)) {
        throw new Violation(
          'once',
          `${name}: the user's last word was ${sorted(body)}, the server did ${sorted(executed.body)}`,
        )
      }
      return
    }
    if (failedAt === null && (forgotten || verdict)) return
    const made = mutationTypeOf(entry).createsId(entry.payload)
    // A create that a row acknowledged, or that was adopted; a change of a thing whose create was taken away elsewhere.
    if (made !== null && ids.has(made)) return
    const needed = mutationTypeOf(entry).requires(entry.payload)
    const goneElsewhere = [...accounts.values()].some((other) => {
      const temp = other === account ? null : mutationTypeOf(other.entry).createsId(other.entry.payload)
      return temp !== null && other.verdict && needed.includes(temp) && !ids.has(temp)
    })
    if (goneElsewhere) return
    // A removal that the server could not do, of a pair that was added again since and found there.
    const isWantedAgain = [...accounts.values()].some((other) => {
      const temp = mutationTypeOf(other.entry).createsId(other.entry.payload)
      const real = temp === null ? undefined : ids.get(temp)
      return real !== undefined && other.verdict && other.entry.seq! > entry.seq! && isRemovalOf(real, entry, ids)
    })
    if (isWantedAgain) return
    if (failedAt !== null) {
      if (now - failedAt >= REFUSED_KEPT) return
      throw new Violation('once', `forgotten after ${(now - failedAt) / DAY} days: ${name}`)
    }
    throw new Violation('once', `lost: ${name}, ${entry.attempts} attempts`)
  }

  return {
    lose(owner) {
      for (const account of accounts.values()) {
        if (account.entry.owner === owner) Object.assign(account, { executed: null, forgotten: true })
      }
    },
    ownerOf: (key) => accounts.get(key)?.entry.owner,
    follow(entries, ids, mayTake, now) {
      const present = new Map(entries.map((entry) => [entry.op_id as string, entry]))
      for (const [op, account] of accounts) {
        const entry = present.get(op)
        if (entry !== undefined) {
          account.restored ||= account.ended
          account.ended = false
          account.entry = entry
          account.failedAt = entry.state === 'failed' ? (account.failedAt ?? now) : null
        } else if (!account.ended) {
          account.ended = true
          if (!mayTake(account.entry)) ended(account, ids, now)
        }
      }
      for (const [op, entry] of present) {
        const nothing = { executed: null, verdict: false, failedAt: null }
        const fresh = { entry, ...nothing, forgotten: false, ended: false, restored: false }
        if (!accounts.has(op)) accounts.set(op, fresh)
      }
    },
    keep(rows, ids, byUser) {
      const entries = [...accounts.values()].map(({ entry }) => entry)
      const gone = kept.find(
        (row) =>
          !rows.some((one) => one.id === row.id || isSamePair(one, row)) &&
          !isMarkedForDeletion(canonical(ids, row.id), entries, ids),
      )
      kept = rows
      if (gone !== undefined && !byUser) throw new Violation('once', `lost: the guest’s pair ${gone.id}`)
    },
    seen({ key, path, status, answer, body, replayed }) {
      const account = key === null ? undefined : accounts.get(key)
      if (account === undefined) return
      if (status === 404 || status === 409) account.verdict = true
      if (status >= 300 || replayed) return
      if (account.executed !== null) throw new Violation('once', `${account.entry.kind} was executed twice`)
      account.executed = { body }
      if (account.entry.kind === 'layout.reorder@1') return
      const made = (answer as { readonly id?: string } | null)?.id
      const widget = account.entry.kind === 'widget.create@1' ? made! : path.split('/')[4]!
      const seq = account.entry.seq!
      const last = lastSeq.get(widget) ?? 0
      if (seq < last && !account.restored)
        throw new Violation('order', `${account.entry.kind} (${seq}) came after ${last} on one widget`)
      lastSeq.set(widget, Math.max(seq, last))
    },
  }
}
