import { atom, useAtomValue } from 'jotai'
import { isStreamLive } from '../../db/stream-state'
import { formatAge, formatAgeInSeconds } from '../../domain/format-time'
import {
  boardAtom,
  historyUpdatedAtom,
  nowAtom,
  POLLS_MISSED_AFTER,
  pricesAtom,
  streamAtom,
  syncStateAtom,
} from '../../state/live-data'
import { POLL_INTERVAL, PRICES_STALE_AFTER } from '../../domain/live-prices'
import { useOnline } from '../../ui/browser-state'
import hidden from '../../ui/visually-hidden.module.css'
import styles from './status-header.module.css'

/** Milliseconds since the provider or exchange gave the newest price; null: there is none. */
const pricesAgeAtom = atom((get) => {
  const times = Object.values(get(pricesAtom)?.prices ?? {}).map((price) => price.provider_time)
  return times.length === 0 ? null : get(nowAtom) - Math.max(...times)
})

/**
 * How prices come. `live`: a stream brings them, and has brought one within the time of two polls. `waiting`: a stream is
 * open, but its provider gives prices more seldom, or it is being opened. `polling`: the app asks, and has had an answer within that time.
 */
type Feed = 'live' | 'waiting' | 'polling' | 'stale' | 'none'

// Atoms of the words, so that the line renders when they change and not with every step of the clock.
const feedAtom = atom((get): Feed => {
  const age = get(pricesAgeAtom)
  if (age === null) return 'none'
  if (age > PRICES_STALE_AFTER) return 'stale'
  const stream = get(streamAtom)
  const owner = get(boardAtom)?.owner
  if (stream?.kind === 'live' && stream.prices && owner !== undefined && isStreamLive(stream, owner, get(nowAtom))) {
    return age <= POLLS_MISSED_AFTER ? 'live' : 'waiting'
  }
  if (get(nowAtom) - (get(pricesAtom)?.polled_at ?? -Infinity) > POLLS_MISSED_AFTER) return 'stale'
  // While a stream is being opened, which takes a moment, no interval of polls is true.
  return stream?.kind === 'polling' && stream.reason.endsWith('connecting') ? 'waiting' : 'polling'
})
/** The last request for prices had no answer, or no request of any kind has one. */
const isSilentAtom = atom((get) => {
  const sync = get(syncStateAtom)
  return sync?.unanswered?.prices === true || (sync?.unreachable_since ?? null) !== null
})
const ageInSecondsAtom = atom((get) => formatAgeInSeconds(get(pricesAgeAtom) ?? NaN))
const ageAtom = atom((get) => formatAge(get(pricesAgeAtom) ?? NaN))

/** How old the newest price is, and why it is no newer. */
function PriceAge({ feed }: { readonly feed: Feed }) {
  const age = useAtomValue(ageInSecondsAtom)
  return (
    <span className={styles.age}>
      {' · '}
      {feed === 'polling' ? `${age}, asked for every ${POLL_INTERVAL / 1000} s` : `last price ${age}`}
    </span>
  )
}

/** @param state in words, after the reason why no price comes where the page knows it */
function withReason(state: string, online: boolean, silent: boolean): string {
  if (online && !silent) return state
  return `${online ? 'No answer' : 'No network'}, ${state.charAt(0).toLowerCase()}${state.slice(1)}`
}

/** The prices' state in words, and as a dot whose shape says the same as its colour. */
function PricesState() {
  const feed = useAtomValue(feedAtom)
  // Without a network, prices that are fresh now do not stay so.
  const online = useOnline()
  const age = useAtomValue(ageAtom)
  const silent = useAtomValue(isSilentAtom)
  const comes = online && (feed === 'live' || feed === 'waiting' || feed === 'polling')
  return (
    <span className={styles.prices} data-feed={online || feed === 'none' ? feed : 'offline'}>
      {comes ? (
        <span>
          Live prices active
          <PriceAge feed={feed} />
        </span>
      ) : (
        withReason(feed === 'none' ? 'Waiting for live prices' : `Prices from ${age}`, online, silent)
      )}
    </span>
  )
}

const historyTextAtom = atom((get) => {
  const at = get(historyUpdatedAtom)
  return at === undefined || at === null ? 'none yet' : formatAge(get(nowAtom) - at)
})

/** The age of the prices and of the history on the dashboard. */
export function StatusHeader() {
  const history = useAtomValue(historyTextAtom)
  return (
    <p className={styles.header}>
      <PricesState />
      <span className={hidden.onPhone}>
        Historical cache last update: {history} <span>(for charts)</span>
      </span>
    </p>
  )
}
