import type { MetaRows } from '../../db/rows'
import type { ChangeView } from '../../db/view'
import { formatMoment } from '../../ui/moment'

/** Milliseconds a change may wait while all is well before it is worth a word: longer than the layout's debounce. */
const WORTH_A_WORD = 10_000

export interface SyncStatus {
  readonly offline: boolean
  /** Such as "3 changes wait since 10:42"; null: nothing waits long enough to be worth a word. */
  readonly waiting: string | null
  /** Such as "1 change was refused". */
  readonly refused: string | null
}

interface Facts {
  /** What the browser believes. */
  readonly online: boolean
  readonly sync: MetaRows['sync_state'] | undefined
  readonly changes: readonly ChangeView[]
  /** Milliseconds. */
  readonly now: number
}

const count = (n: number, one: string, many: string) => (n === 1 ? `1 change ${one}` : `${n} changes ${many}`)

/** What the quiet line says about the network and about what waits for it. */
export function syncStatus({ online, sync, changes, now }: Facts): SyncStatus {
  const offline = !online || sync?.unreachable_since != null
  const failed = changes.filter((change) => change.state === 'failed').length
  const waiting = changes.filter((change) => change.state !== 'failed')
  const since = Math.min(...waiting.map((change) => change.since))
  const worthAWord = waiting.length > 0 && (offline || now - since > WORTH_A_WORD)
  return {
    offline,
    waiting: worthAWord ? `${count(waiting.length, 'waits', 'wait')} since ${formatMoment(since, now)}` : null,
    refused: failed > 0 ? count(failed, 'was refused', 'were refused') : null,
  }
}
