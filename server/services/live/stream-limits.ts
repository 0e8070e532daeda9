import { addressKeys, blocksOf, type CountedNetwork, networksOf } from '../../http/addresses'
import { StreamUnavailable, TooManyAttempts } from '../../http/api-error'

/** Open streams of one owner: as many windows and devices as anybody has. RATE_LIMIT_FACTOR multiplies it. */
const MAX_PER_OWNER = 20
/** Open streams of one address: a company's, or a mobile operator's. RATE_LIMIT_FACTOR multiplies it. */
const MAX_PER_ADDRESS = 1_000
/**
 * Open streams of this process and streams opened in a second, of which no network (/24 or /64) has more than are left for the
 * others: the process's own measure, which no factor raises.
 */
const MAX_STREAMS = 20_000
/** Of those the last are for the first stream of each network: else some thirty that take all they get would leave none. */
const FOR_NEWCOMERS = 2_000
const MAX_OPENED_A_SECOND = 200
/** Seconds over which those who are refused for long come again. */
const FULL_RETRY_SECONDS = 60

/** @param now milliseconds of a clock that never goes back */
export function streamLimits(
  factor: number,
  now: () => number = () => performance.now(),
  random: () => number = Math.random,
) {
  const most = (limit: number) => Math.max(1, Math.round(limit * factor))
  const counts = new Map<string, number>()
  let total = 0
  let second = -1
  let toOpen = 0
  const openedOf = new Map<string, number>()
  let refused = 0

  /** Whole seconds, so that as many as were refused come back evenly over `seconds`. */
  const within = (seconds: number) => 1 + Math.floor(random() * seconds)
  const keysOf = (owner: string, ip: string) => [
    { key: owner, limit: most(MAX_PER_OWNER) },
    ...networksOf(ip).map(({ network, times }) => ({ key: network, limit: most(MAX_PER_ADDRESS * times) })),
    ...blocksOf(addressKeys(ip)).map(({ network, times }) => ({
      key: `block ${network}`,
      limit: Math.max(times, MAX_STREAMS - FOR_NEWCOMERS - total),
    })),
  ]

  return {
    /** Counts a stream. @throws ApiError RATE_LIMITED, STREAM_UNAVAILABLE: with the seconds after which to come again */
    enter: (owner: string, ip: string): void => {
      const present = Math.floor(now() / 1000)
      if (present !== second) {
        // Those of the second before that are still to come are counted with the ones to follow.
        refused = present === second + 1 ? Math.max(0, refused - MAX_OPENED_A_SECOND) : 0
        second = present
        toOpen = MAX_OPENED_A_SECOND
        openedOf.clear()
      }
      if (total >= MAX_STREAMS) throw new StreamUnavailable(within(FULL_RETRY_SECONDS))
      const keys = keysOf(owner, ip)
      const isFull = keys.some(({ key, limit }) => (counts.get(key) ?? 0) >= limit)
      if (isFull) throw new TooManyAttempts(within(FULL_RETRY_SECONDS))
      const blocks = blocksOf(addressKeys(ip))
      const isBusy = ({ network, times }: CountedNetwork) => (openedOf.get(network) ?? 0) >= Math.max(times, toOpen)
      if (toOpen === 0 || blocks.some(isBusy)) {
        refused += 1
        throw new StreamUnavailable(within(1 + Math.ceil(refused / MAX_OPENED_A_SECOND)))
      }
      toOpen -= 1
      total += 1
      for (const { network } of blocks) openedOf.set(network, (openedOf.get(network) ?? 0) + 1)
      for (const { key } of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
    },
    leave: (owner: string, ip: string): void => {
      total -= 1
      for (const { key } of keysOf(owner, ip)) {
        const left = (counts.get(key) ?? 1) - 1
        if (left === 0) counts.delete(key)
        else counts.set(key, left)
      }
    },
    open: (): number => total,
  }
}
