import { startQueueRounds } from '../../waits'
import { untilDue } from '../push/delivery-queue'
import { CHANNELS } from './channel-queue'
import { CHANNEL_INTERVAL_MS, type ChannelDeps, deliverToChannels } from './deliver'

/** Sends due deliveries to channels; `notify` says that there may be some. `stop` waits for the messages that are under way. */
export const startChannelWorker = (deps: ChannelDeps) =>
  startQueueRounds(
    CHANNEL_INTERVAL_MS,
    async (stopped) => {
      await deliverToChannels(deps, stopped)
      return untilDue(deps.database.orm, CHANNELS, deps.clock())
    },
    (error) => deps.logger?.error({ err: error }, 'deliveries to channels could not be looked for'),
  )
