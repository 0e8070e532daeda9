import { startRounds } from '../../waits'
import { CHANNEL_INTERVAL_MS, type ChannelDeps, deliverToChannels } from './deliver'

/** Looks for due deliveries in fixed steps. `stop` waits for the messages that are under way. */
export const startChannelWorker = (deps: ChannelDeps) =>
  startRounds(
    CHANNEL_INTERVAL_MS,
    (stopped) => deliverToChannels(deps, stopped),
    (error) => deps.logger?.error({ err: error }, 'deliveries to channels could not be looked for'),
  )
