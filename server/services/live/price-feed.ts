import type { FastifyBaseLogger } from 'fastify'
import { POLL_INTERVAL } from '../../../src/domain/live-prices'
import type { Market } from '../market/market'
import { asciiJson, type Watch, type Watches } from './live-stream'
import type { Wire } from './wire'
import type { MarketSource } from '../../../src/contract/market'
import { asOf, type StoredPrice } from '../market/prices/stored-prices'

/** The latest price of a coin, as streams bring it. */
interface Quote extends Pick<StoredPrice, 'usd' | 'providerTime' | 'via'> {
  /** Number of the update that brought it. */
  readonly serial: number
  /** As a member of the event's `prices`; made once for all streams. */
  readonly json: string
}

type PriceBoard = ReturnType<typeof createPriceBoard>

/** The stored prices as streams bring them, each numbered by the update in which it changed. */
export function createPriceBoard(source: MarketSource, clock: () => number) {
  const quotes = new Map<string, Quote>()
  let serial = 0
  let newest = 0

  return {
    /** Number of the last update that changed a price. */
    serial: (): number => serial,
    /** Takes over what is stored. @returns true if a price has changed */
    update: (stored: ReadonlyMap<string, StoredPrice>): boolean => {
      let changed = false
      newest = asOf(stored.values())
      for (const [id, { usd, providerTime, via }] of stored) {
        const known = quotes.get(id)
        if (known?.usd === usd && known.providerTime === providerTime && known.via === via) continue
        if (!changed) serial += 1
        changed = true
        const json = `${asciiJson(id)}:${asciiJson([usd, providerTime, via])}`
        quotes.set(id, { usd, providerTime, via, serial, json })
      }
      return changed
    },
    /** The data of an event with the prices of these coins that changed after `since`; null: none did. */
    eventSince: (coins: readonly string[], since: number): string | null => {
      let members = ''
      for (const id of coins) {
        const quote = quotes.get(id)
        if (quote !== undefined && quote.serial > since) members += members === '' ? quote.json : `,${quote.json}`
      }
      return members === '' ? null : `{"source":"${source}","now":${clock()},"as_of":${newest},"prices":{${members}}}`
    },
  }
}

/** From one event with prices to the next of a stream, milliseconds. */
const PRICES_EVERY_MS = 1_000

interface PriceFeedDeps {
  readonly market: Market
  readonly board: PriceBoard
  readonly watches: Watches
  readonly wire: Wire
  readonly logger?: FastifyBaseLogger | undefined
}

/** Sends prices that have changed: at once, and then at most once a second to a stream, the last value always. */
function pacedPrices({ board, watches, wire }: Pick<PriceFeedDeps, 'board' | 'watches' | 'wire'>) {
  let timer: NodeJS.Timeout | null = null

  function send(watch: Watch, now: number): void {
    const data = board.eventSince(watch.coins, watch.serial)
    watch.serial = board.serial()
    if (data === null) return
    watch.sentAt = now
    const body = `event: prices\ndata: ${data}\n\n`
    for (const stream of watch.streams) wire.sendBody(stream, 'prices', body)
  }

  function sendDue(): void {
    const now = performance.now()
    let next = Infinity
    for (const watch of watches.all()) {
      if (watch.serial === board.serial()) continue
      const wait = watch.sentAt + PRICES_EVERY_MS - now
      if (wait <= 0) send(watch, now)
      else next = Math.min(next, wait)
    }
    if (next === Infinity || timer !== null) return
    // Node's timers may run a millisecond early.
    timer = setTimeout(() => {
      timer = null
      sendDue()
    }, next + 1).unref()
  }

  return {
    sendDue,
    stop: (): void => {
      if (timer !== null) clearTimeout(timer)
      timer = null
    },
  }
}

/** Brings stored prices to the streams, as soon as they were stored. */
export function priceFeed({ market, board, watches, wire, logger }: PriceFeedDeps) {
  const paced = pacedPrices({ board, watches, wire })
  let reading: Promise<void> | null = null
  let again = false
  let isFresh = false
  /** Times that reading has come to rest: what was begun before keeps nothing fresh. */
  let rests = 0

  async function readOn(): Promise<void> {
    do {
      again = false
      const begun = rests
      const changed = board.update(await market.stored())
      isFresh = begun === rests
      if (changed) paced.sendDue()
    } while (again)
  }

  /** Reads what is stored and sends what has changed; those who ask meanwhile have it read once more for all of them. */
  function refresh(): Promise<void> {
    if (reading !== null) {
      again = true
      return reading
    }
    reading = readOn()
      .catch((error: unknown) => logger?.warn({ err: error }, 'prices for streams could not be read'))
      .finally(() => {
        reading = null
      })
    return reading
  }

  return {
    refresh,
    /** For a stream that opens: reads only if nothing has kept the prices fresh. */
    ready: async (): Promise<void> => {
      if (!isFresh) await refresh()
    },
    /** Nothing is read while there are no streams. */
    rest: (): void => {
      isFresh = false
      rests += 1
      paced.stop()
    },
    /** Has prices fetched that polls do not bring, as an app does that asks for its prices itself. */
    keepAsked: (watch: Watch, ip: string): void => {
      market.prices(watch.coins, ip).catch((error: unknown) => {
        logger?.debug({ err: error }, 'prices could not be asked for')
      })
    },
    /** Ticks (seconds) from one time that a watch's coins are asked for to the next. */
    askEvery: POLL_INTERVAL / 1000,
  }
}
