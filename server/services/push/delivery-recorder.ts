import type { Database } from '../../db/open'
import {
  type DeliveryOutcome,
  type EndedDelivery,
  type EndedOutcome,
  recordDelivery,
  recordEnded,
  type WaitingAlert,
} from './delivery-queue'

/** Deliveries that one statement records. */
const RECORD_BATCH = 200

/** Records the outcome of a try; resolves once the outcome is committed. */
export type RecordDelivery = (alert: WaitingAlert, outcome: DeliveryOutcome, now: number) => Promise<void>

interface Waiting extends EndedDelivery {
  readonly alert: WaitingAlert
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

/**
 * Records deliveries that end while a statement is under way with the next statement, together: a commit for each would
 * limit a process to some hundred a second. The first is recorded at once, so that nothing waits for company.
 */
export function deliveryRecorder(database: Database): RecordDelivery {
  let waiting: Waiting[] = []
  let running = false

  async function recordWaiting(): Promise<void> {
    running = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, RECORD_BATCH)
      waiting = waiting.slice(RECORD_BATCH)
      try {
        const leftOut = await recordEnded(database, batch)
        for (const one of batch) {
          // The others' outcomes do not wait for the lock on this browser.
          if (leftOut.has(one.alert.delivery_id)) void recordAlone(one)
          else one.done()
        }
      } catch (error) {
        for (const one of batch) one.failed(error)
      }
    }
    running = false
  }

  const recordAlone = ({ alert, outcome, now, done, failed }: Waiting): Promise<void> =>
    recordDelivery(database, alert, outcome, now).then(done, failed)

  return (alert, outcome, now) => {
    if (!isEnded(outcome)) return recordDelivery(database, alert, outcome, now)
    return new Promise((done, failed) => {
      waiting.push({ alert, outcome, now, done, failed })
      if (!running) void recordWaiting()
    })
  }
}

const isEnded = (outcome: DeliveryOutcome): outcome is EndedOutcome =>
  outcome.kind !== 'again' && outcome.kind !== 'gone' && outcome.kind !== 'refused'
