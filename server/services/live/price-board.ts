import { randomBytes } from 'node:crypto'
import type { MarketSource } from '../../../src/contract/market'
import type { StoredPrice } from '../market/prices/stored-prices'
import { asciiJson } from './live-stream'

/** The latest price of a coin, as streams bring it. */
interface Quote extends Pick<StoredPrice, 'usd' | 'providerTime' | 'via'> {
  /** Number of the update that brought it. */
  readonly serial: number
  /** As a member of the event's `prices`; made once for all streams. */
  readonly json: string
}

/** The stored prices as streams bring them, each numbered by the update in which it changed. */
export interface PriceBoard {
  /** Number of the last update that changed a price. */
  serial(): number
  /** Takes over what is stored. @returns true if a price has changed */
  update(stored: ReadonlyMap<string, StoredPrice>): boolean
  /** The data of an event with the prices of these coins that changed after `since`; null: none did. */
  eventSince(coins: readonly string[], since: number): string | null
  /** Names the state of these coins in an event's id. */
  mark(serial: number, coinsKey: string): string
  /** The update that a mark of this process and these coins was made at; 0, before all prices, for any other. */
  serialOf(mark: string, coinsKey: string): number
}

export function createPriceBoard(source: MarketSource, clock: () => number): PriceBoard {
  // Numbers begin anew with each process; the name tells them apart.
  const run = randomBytes(6).toString('base64url').replaceAll('-', '_')
  const quotes = new Map<string, Quote>()
  let serial = 0

  return {
    serial: () => serial,
    update: (stored) => {
      let changed = false
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
    eventSince: (coins, since) => {
      let members = ''
      for (const id of coins) {
        const quote = quotes.get(id)
        if (quote !== undefined && quote.serial > since) members += members === '' ? quote.json : `,${quote.json}`
      }
      return members === '' ? null : `{"source":"${source}","now":${clock()},"prices":{${members}}}`
    },
    mark: (at, coinsKey) => `${run}-${at}-${coinsKey}`,
    serialOf: (mark, coinsKey) => {
      const [itsRun, at, ...key] = mark.split('-')
      return itsRun === run && key.join('-') === coinsKey ? Math.min(serial, Number(at)) : 0
    },
  }
}
