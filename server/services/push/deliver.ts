import type { FastifyBaseLogger } from 'fastify'
import { MINUTE } from '../../../src/domain/granularity'
import type { PushAnswer, PushSender } from '../../adapters/push/push-sender'
import type { Database } from '../../db/open'
import { claimDue } from './claim-due'
import { fanOut } from './fan-out'
import type { PushMetrics } from './metrics'
import { settle, type Settlement } from './settle'
import { verdictOn } from './verdict'
import { pushMessageOf, type WaitingAlert, worthUntil } from './waiting-alert'

export interface PushParts {
  readonly database: Database
  readonly sender: PushSender
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly metrics?: PushMetrics | undefined
  readonly logger?: FastifyBaseLogger | undefined
}

/** Requests that a process has under way. */
const MOST = 50
/** Milliseconds between two looks at what is new. */
export const STEP = 500
/** Milliseconds after the first failed try, how much longer after each further one, and at most. */
const FIRST_PAUSE = 5_000
const GROWTH = 3
const LONGEST_PAUSE = 15 * MINUTE

/**
 * Tells browsers of crossings, until nothing is due. Any number of processes may do so at once. A process that dies between
 * sending and noting so leads to a second message, which the browser knows by its event id; never to none.
 */
export async function deliverAlerts(parts: PushParts, stopped: () => boolean = () => false): Promise<void> {
  const underWay = new Set<Promise<void>>()
  let found: number
  do {
    const alerts = stopped() ? [] : await takeDue(parts, MOST - underWay.size)
    found = alerts.length
    for (const alert of alerts) {
      const work: Promise<void> = deliver(parts, alert).finally(() => underWay.delete(work))
      underWay.add(work)
    }
    await halfOf(underWay)
  } while (found > 0 || underWay.size > 0)
}

async function takeDue({ database, clock }: PushParts, most: number): Promise<readonly WaitingAlert[]> {
  await fanOut(database, clock())
  return claimDue(database, most, clock())
}

/** Waits until half of it has ended, since one look is to find work for many; but no longer than a step: some take long. */
async function halfOf(underWay: ReadonlySet<Promise<void>>): Promise<void> {
  const half = Math.floor(underWay.size / 2)
  let timer: NodeJS.Timeout | undefined
  const step = new Promise<'over'>((resolve) => {
    timer = setTimeout(resolve, STEP, 'over')
  })
  while (underWay.size > half && (await Promise.race([...underWay, step])) !== 'over');
  clearTimeout(timer)
}

async function deliver(parts: PushParts, alert: WaitingAlert): Promise<void> {
  const { database, sender, clock, metrics, logger } = parts
  const about = { delivery: alert.delivery_id, service: new URL(alert.endpoint).origin, attempt: alert.attempts }
  try {
    const begun = clock()
    const moot = whyNotToSend(alert, begun)
    const answer = moot ?? (await sender.send(pushMessageOf(alert, begun)))
    const now = clock()
    const settlement = typeof answer === 'string' ? { kind: answer, freeAt: now } : settlementOf(alert, answer, now)
    await settle(database, alert, settlement, now)
    metrics?.settled(settlement.kind)
    if (settlement.kind === 'sent') metrics?.accepted((now - alert.crossed_at.getTime()) / 1000)
    const said = { ...about, answer: typeof answer === 'string' ? null : answer.kind === 'answered' ? answer.status : answer.why } // prettier-ignore
    logger?.[settlement.kind === 'sent' ? 'debug' : 'warn'](said, SAID[settlement.kind])
  } catch (error) {
    // The claim ends by itself, and then somebody tries again.
    logger?.error({ ...about, err: error }, 'an alert could not be delivered')
  }
}

/** What has become of an alert without our doing; null: it is to be sent. @param now milliseconds since 1970 */
function whyNotToSend(alert: WaitingAlert, now: number): 'unwanted' | 'superseded' | 'too-late' | null {
  if (!alert.wanted) return 'unwanted'
  if (alert.superseded) return 'superseded'
  return now > worthUntil(alert) ? 'too-late' : null
}

const SAID: Readonly<Record<Settlement['kind'], string>> = {
  sent: 'alert sent',
  again: 'alert could not be sent yet',
  gone: 'subscription removed: its push service no longer knows it',
  refused: 'subscription put aside: its push service takes nothing from us',
  undeliverable: 'alert given up',
  unwanted: 'alert not wanted any more',
  superseded: 'alert given up: a later one was sent',
  'too-late': 'alert given up: it could not be sent in time',
}

/** @param now milliseconds since 1970 */
function settlementOf(alert: WaitingAlert, answer: PushAnswer, now: number): Settlement {
  const verdict = verdictOn(answer, now)
  switch (verdict.kind) {
    case 'gone':
    case 'refused':
      return verdict
    case 'sent':
    case 'undeliverable':
      return { kind: verdict.kind, freeAt: now }
    case 'later': {
      const freeAt = now + (verdict.pause ?? 0)
      const pause = Math.min(FIRST_PAUSE * GROWTH ** (alert.attempts - 1), LONGEST_PAUSE)
      const nextAttempt = Math.max(now + pause, freeAt)
      return nextAttempt > worthUntil(alert) ? { kind: 'too-late', freeAt } : { kind: 'again', nextAttempt, freeAt }
    }
  }
}
