import { HOUR, MINUTE } from '../../../src/domain/granularity'
import type { Env } from '../../env'
import type { JobsDeps } from '../../jobs/periodic'
import type { CountDelivery, Fate } from '../alerts/metrics'
import { tellableAt } from '../push/delivery-queue'
import { keepInFlight } from '../push/in-flight'
import { CHANNEL_TTL, type ChannelBatch, claimBatches } from './channel-queue'
import { queueMail, recordArrival, recordFailure, recordUnwanted, switchOff } from './record-message'
import type { ChannelSender } from './send'
import { alertsMessage } from './webhook-message'

export interface ChannelDeps extends JobsDeps {
  readonly env: Pick<Env, 'PUBLIC_URL'>
  readonly sender: Pick<ChannelSender, 'send'>
  readonly count?: CountDelivery
}

/** Messages that a process has in flight at most. */
const MAX_CONCURRENT_MESSAGES = 100
/** Milliseconds between two looks for deliveries to channels that are busy. */
export const CHANNEL_INTERVAL_MS = 500
/** Milliseconds from one try to the next; hourly from then on. */
const RETRY_PAUSES = [5_000, 30_000, 2 * MINUTE, 10 * MINUTE]
/** The longest pause that a receiver may ask for, milliseconds. */
const LONGEST_PAUSE = HOUR

/**
 * Sends what has been fanned out to channels, until nothing is due. A process that dies between sending and recording leads to
 * a second message of the same id; never to none.
 */
export async function deliverToChannels(deps: ChannelDeps, stopped: () => boolean = () => false): Promise<void> {
  const { database, clock } = deps
  await keepInFlight(MAX_CONCURRENT_MESSAGES, CHANNEL_INTERVAL_MS, {
    take: async (most) => (stopped() ? [] : claimBatches(database, most, clock())),
    send: (batch) => deliver(deps, batch),
  })
}

async function deliver(deps: ChannelDeps, batch: ChannelBatch): Promise<void> {
  const { channel, attempts } = batch
  // Neither address nor chat stands in the log: who has them can send or read.
  const about = { channel: channel.id, kind: channel.kind, message: batch.id, attempt: attempts }
  try {
    const { fate, reason } = await tell(deps, batch)
    deps.count?.(channel.kind, fate)
    deps.logger?.[reason === undefined ? 'debug' : 'warn'](
      { ...about, fate, outcome: reason ?? fate },
      'alerts for a channel',
    )
  } catch (error) {
    // The claim runs out, and then a process tries again.
    deps.logger?.error({ ...about, err: error }, 'alerts could not be delivered to a channel')
  }
}

/** Fate of a batch; `reason`: of a failure, for the log. */
interface MessageFate {
  readonly fate: Fate
  readonly reason?: string
}

/** Sends a batch, of which the owner may have removed the rules since or switched off the alerts, and records what came of it. */
async function tell({ database, env, sender, clock }: ChannelDeps, batch: ChannelBatch): Promise<MessageFate> {
  const { channel } = batch
  const wanted = batch.crossings.filter((crossing) => crossing.wanted)
  await recordUnwanted(database, batch, clock())
  if (wanted.length === 0) return { fate: 'unwanted' }
  if (channel.kind === 'email') {
    await queueMail(database, batch, clock())
    return { fate: 'queued' }
  }
  const sent = await sender.send(channel, alertsMessage(env.PUBLIC_URL, batch, wanted))
  const now = clock()
  switch (sent.kind) {
    case 'sent':
      await recordArrival(database, batch, now)
      return { fate: 'sent' }
    case 'ended':
      await switchOff(database, batch, 'ended', sent.reason, now)
      return { fate: 'ended', reason: sent.reason }
    case 'failed': {
      const pause = sent.retryAfter ?? RETRY_PAUSES[batch.attempts - 1] ?? LONGEST_PAUSE
      const next = now + Math.min(pause, LONGEST_PAUSE)
      const isLast = next > Math.max(...wanted.map(tellableAt)) + CHANNEL_TTL
      const off = await recordFailure(database, batch, sent.reason, isLast ? null : next, now)
      return { fate: off ? 'off' : isLast ? 'too-late' : 'again', reason: sent.reason }
    }
  }
}
