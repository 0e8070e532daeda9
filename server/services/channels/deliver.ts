import { HOUR, MINUTE } from '../../../src/domain/granularity'
import type { Env } from '../../env'
import type { JobsDeps } from '../../jobs/periodic'
import { tellableAt } from '../push/delivery-queue'
import { keepInFlight } from '../push/in-flight'
import { CHANNEL_TTL, type ChannelBatch, claimBatches } from './channel-queue'
import { queueMail, recordArrival, recordFailure, recordUnwanted, switchOff } from './record-message'
import type { ChannelSender } from './send'
import { alertsMessage } from './webhook-message'

export interface ChannelDeps extends JobsDeps {
  readonly env: Pick<Env, 'PUBLIC_URL'>
  readonly sender: Pick<ChannelSender, 'send'>
}

/** Messages that a process has in flight at most. */
const MAX_CONCURRENT_MESSAGES = 100
/** Milliseconds between two looks for due deliveries. */
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

/** Outcome of a batch of which the owner has removed the rules since, or switched off the alerts. */
const UNWANTED = 'not wanted any more'

async function deliver(deps: ChannelDeps, batch: ChannelBatch): Promise<void> {
  const { channel, attempts } = batch
  // Neither address nor chat stands in the log: who has them can send or read.
  const about = { channel: channel.id, kind: channel.kind, message: batch.id, attempt: attempts }
  try {
    const outcome = await tell(deps, batch)
    deps.logger?.[outcome === 'sent' || outcome === UNWANTED ? 'debug' : 'warn'](
      { ...about, outcome },
      'alerts for a channel',
    )
  } catch (error) {
    // The claim runs out, and then a process tries again.
    deps.logger?.error({ ...about, err: error }, 'alerts could not be delivered to a channel')
  }
}

/** Sends a batch and records what came of it. @returns that, for the log */
async function tell({ database, env, sender, clock }: ChannelDeps, batch: ChannelBatch): Promise<string> {
  const { channel } = batch
  const wanted = batch.crossings.filter((crossing) => crossing.wanted)
  await recordUnwanted(database, batch, clock())
  if (wanted.length === 0) return UNWANTED
  if (channel.kind === 'email') {
    await queueMail(database, batch, clock())
    return 'sent'
  }
  const sent = await sender.send(channel, alertsMessage(env.PUBLIC_URL, batch, wanted))
  const now = clock()
  switch (sent.kind) {
    case 'sent':
      await recordArrival(database, batch, now)
      return 'sent'
    case 'ended':
      await switchOff(database, batch, 'ended', sent.reason, now)
      return sent.reason
    case 'failed': {
      const pause = sent.retryAfter ?? RETRY_PAUSES[batch.attempts - 1] ?? LONGEST_PAUSE
      const next = now + Math.min(pause, LONGEST_PAUSE)
      const isLast = next > Math.max(...wanted.map(tellableAt)) + CHANNEL_TTL
      const off = await recordFailure(database, batch, sent.reason, isLast ? null : next, now)
      return off ? `${sent.reason}, and switched off` : sent.reason
    }
  }
}
