import { formatMoment } from './local-time'

/** Milliseconds for which a change may wait unmentioned while online: longer than the layout's debounce. */
const UNMENTIONED_MS = 10_000

interface SyncFacts {
  /** The browser's `navigator.onLine`. */
  readonly online: boolean
  /** Milliseconds: since when the server has not answered; undefined: no request has ended yet. */
  readonly sync: { readonly unreachable_since: number | null } | undefined
  /** Mutations in the outbox. `since`: milliseconds; so is `heldUntil`, where one is not to be sent before. */
  readonly changes: readonly { readonly state: string; readonly since: number; readonly heldUntil?: number | null }[]
  /** Milliseconds. */
  readonly now: number
}

const count = (n: number, one: string, many: string) => (n === 1 ? `1 change ${one}` : `${n} changes ${many}`)

/**
 * The network, and the mutations that wait for it.
 * @returns waiting such as "3 changes wait since 10:42", refused such as "1 change was refused"; null: none to mention
 */
export function syncStatus({ online, sync, changes, now }: SyncFacts) {
  const offline = !online || sync?.unreachable_since != null
  const failed = changes.filter((change) => change.state === 'failed').length
  const waiting = changes.filter((change) => change.state !== 'failed')
  const since = Math.min(...waiting.map((change) => change.since))
  const dueSince = Math.min(...waiting.map((change) => change.heldUntil ?? change.since))
  const isMentioned = waiting.length > 0 && (offline || now - dueSince > UNMENTIONED_MS)
  return {
    offline,
    waiting: isMentioned ? `${count(waiting.length, 'waits', 'wait')} since ${formatMoment(since, now)}` : null,
    refused: failed > 0 ? count(failed, 'was refused', 'were refused') : null,
  }
}
