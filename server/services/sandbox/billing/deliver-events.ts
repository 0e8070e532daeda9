import { MINUTE } from '../../../../src/domain/granularity'
import type { Ledger, LedgerEvent } from './ledger'

/** Between two attempts for what was not taken, and between two looks at all customers. Milliseconds. */
const RETRY_PAUSE_MS = 1_000
const LOOK_INTERVAL_MS = MINUTE

interface EventDeliveryDeps {
  readonly ledger: Pick<Ledger, 'read' | 'ids' | 'write' | 'forget'>
  /** Posts an event to the webhook. @returns the status of the answer; null: there was none */
  readonly post: (event: LedgerEvent) => Promise<number | null>
  /** Called with each customer at each look: renewals that were due happen then. */
  readonly look: (customer: string) => void
  /** Called with an error of one customer, whose turn comes again with the next look. */
  readonly failed: (error: unknown) => void
}

export type EventDelivery = ReturnType<typeof startEventDelivery>

/** Posts a customer's events one after the other. @returns whether all were taken */
async function postAll({ ledger, post }: EventDeliveryDeps, id: string, signal: AbortSignal): Promise<boolean> {
  for (;;) {
    const [event] = ledger.read(id)?.events ?? []
    if (event === undefined || signal.aborted) return true
    const status = await post(event)
    if (status === null || status < 200 || status >= 300) return false
    // Read again: while it was posted, more may have happened.
    const customer = ledger.read(id)
    if (customer === null) return true
    const events = customer.events.filter((each) => each.id !== event.id)
    if (customer.removed && events.length === 0) ledger.forget(id)
    else ledger.write({ ...customer, events })
  }
}

/** Posts what is waiting. @returns how long to wait before what is left is tried again */
async function postRound(deps: EventDeliveryDeps, waiting: Set<string>, signal: AbortSignal): Promise<number> {
  const refused: string[] = []
  for (let [id] = waiting; id !== undefined && !signal.aborted; [id] = waiting) {
    waiting.delete(id)
    try {
      if (!(await postAll(deps, id, signal))) refused.push(id)
    } catch (error) {
      // A damaged file, or a full disk: other customers do not wait for that, and the server does not end.
      deps.failed(error)
    }
  }
  for (const id of refused) waiting.add(id)
  return refused.length === 0 ? 0 : RETRY_PAUSE_MS
}

function reportingFailure(failed: (error: unknown) => void, work: () => void): void {
  try {
    work()
  } catch (error) {
    failed(error)
  }
}

/** Posts each event to the webhook until the webhook takes it, also those that an earlier process could not post. */
export function startEventDelivery(deps: EventDeliveryDeps) {
  const { ledger, look, failed } = deps
  const waiting = new Set<string>()
  const stopping = new AbortController()
  let running: Promise<void> | null = null
  let timer: NodeJS.Timeout | null = null

  function next(delay: number): void {
    if (stopping.signal.aborted) return
    if (timer !== null) clearTimeout(timer)
    timer = setTimeout(run, delay)
    timer.unref()
  }

  function run(): void {
    if (running !== null || stopping.signal.aborted) return
    running = postRound(deps, waiting, stopping.signal).then((pause) => {
      running = null
      if (waiting.size > 0) next(pause)
    })
  }

  function lookAtAll(): void {
    reportingFailure(failed, () => {
      for (const id of ledger.ids()) {
        reportingFailure(failed, () => look(id))
        waiting.add(id)
      }
    })
    next(0)
  }

  const looks = setInterval(lookAtAll, LOOK_INTERVAL_MS)
  looks.unref()
  lookAtAll()
  return {
    /** Called when a customer has new events. */
    deliverSoon: (customer: string): void => {
      waiting.add(customer)
      next(0)
    },
    /** Waits for the post under way. */
    stop: async (): Promise<void> => {
      stopping.abort()
      clearInterval(looks)
      if (timer !== null) clearTimeout(timer)
      await running
    },
  }
}
