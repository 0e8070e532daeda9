import type { Ledger } from './ledger'
import type { KeptEvent } from './kept-customer'

/** Posts an event to the webhook. @returns the status of the answer; null: there was none */
export type Post = (event: KeptEvent) => Promise<number | null>

/** Between two attempts for what was not taken, and between two looks at all customers. Milliseconds. */
const AGAIN = 1_000
const LOOK = 60_000

/** Tells the webhook of what has happened, each event until it was taken, also what an earlier process could not tell. */
export interface Telling {
  /** Something has happened to this customer. */
  readonly soon: (customer: string) => void
  /** Waits for what is under way. */
  readonly stop: () => Promise<void>
}

interface Parts {
  readonly ledger: Pick<Ledger, 'read' | 'ids' | 'write' | 'forget'>
  readonly post: Post
  /** Called with each customer at each look: what was due there happens then. */
  readonly look: (customer: string) => void
  /** Is told of what went wrong with one customer, whose turn comes again with the next look. */
  readonly failed: (error: unknown) => void
}

export function startTelling({ ledger, post, look, failed }: Parts): Telling {
  const waiting = new Set<string>()
  const stopping = new AbortController()
  let running: Promise<void> | null = null
  let timer: NodeJS.Timeout | null = null

  /** @returns whether all was taken */
  async function tell(id: string): Promise<boolean> {
    for (;;) {
      const [event] = ledger.read(id)?.events ?? []
      if (event === undefined || stopping.signal.aborted) return true
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

  /** @returns how long to wait before what is left is tried again */
  async function round(): Promise<number> {
    const refused: string[] = []
    for (let [id] = waiting; id !== undefined && !stopping.signal.aborted; [id] = waiting) {
      waiting.delete(id)
      try {
        if (!(await tell(id))) refused.push(id)
      } catch (error) {
        // A damaged file, or a full disk: nobody else is to wait for that, and the server is not to end.
        failed(error)
      }
    }
    for (const id of refused) waiting.add(id)
    return refused.length === 0 ? 0 : AGAIN
  }

  function next(delay: number): void {
    if (stopping.signal.aborted) return
    if (timer !== null) clearTimeout(timer)
    timer = setTimeout(run, delay)
    timer.unref()
  }

  function run(): void {
    if (running !== null || stopping.signal.aborted) return
    running = round().then((pause) => {
      running = null
      if (waiting.size > 0) next(pause)
    })
  }

  function attempt(work: () => void): void {
    try {
      work()
    } catch (error) {
      failed(error)
    }
  }

  function lookAtAll(): void {
    attempt(() => {
      for (const id of ledger.ids()) {
        attempt(() => look(id))
        waiting.add(id)
      }
    })
    next(0)
  }

  const looks = setInterval(lookAtAll, LOOK)
  looks.unref()
  lookAtAll()
  return {
    soon: (customer) => {
      waiting.add(customer)
      next(0)
    },
    stop: async () => {
      stopping.abort()
      clearInterval(looks)
      if (timer !== null) clearTimeout(timer)
      await running
    },
  }
}
