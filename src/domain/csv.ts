import { textCell } from './csv-cell'
import { DAY } from './granularity'
import { type ChartInput, type ChartLacking, livePlace, pairSeries } from './pair-series'
import { pricesAt } from './ratio-series'
import { endingWith, viewOf } from './series'

/** The prices that a period's chart is drawn from: at A's times, B interpolated, closed by the live prices. */
export function priceRows(input: ChartInput): { readonly kind: 'rows'; readonly rows: PriceRows } | ChartLacking {
  const pair = pairSeries(input)
  if (pair.kind !== 'series') return pair
  const { times, prices } = viewOf(pair.a, pair.from)
  const rows = { times, pricesA: prices, pricesB: pricesAt(times, pair.b, pair.b.widths) }
  const place = livePlace(times, input.live, input.period)
  if (place === null) return { kind: 'rows', rows }
  const { index, prices: live } = place
  return {
    kind: 'rows',
    rows: {
      times: endingWith(rows.times, index, live.providerTime),
      pricesA: endingWith(rows.pricesA, index, live.priceA),
      pricesB: endingWith(rows.pricesB, index, live.priceB),
    },
  }
}

/** Both coins' prices in USD, columns of equal length: times ascending in milliseconds, NaN where B is not known. */
interface PriceRows {
  readonly times: Float64Array
  readonly pricesA: Float64Array
  readonly pricesB: Float64Array
}

/** Rows in one string: a whole file may have a hundred thousand. */
const ROWS_IN_A_CHUNK = 4_096

/** The text of the file in pieces: a heading, then a row for each time. An unknown price is an empty cell. */
export function* csvChunks(rows: PriceRows, symbolA: string, symbolB: string): Generator<string> {
  yield `Timestamp,${heading(symbolA)},${heading(symbolB)}\n`
  const isoTime = isoTimes()
  for (let start = 0; start < rows.times.length; start += ROWS_IN_A_CHUNK) {
    const end = Math.min(start + ROWS_IN_A_CHUNK, rows.times.length)
    let text = ''
    for (let i = start; i < end; i++) {
      text += `${isoTime(rows.times[i]!)},${cell(rows.pricesA[i]!)},${cell(rows.pricesB[i]!)}\n`
    }
    yield text
  }
}

const heading = (symbol: string): string => textCell(`${symbol.toUpperCase()} Price (USD)`)

const cell = (price: number): string => (Number.isFinite(price) ? String(price) : '')

/** ISO 8601 in UTC; the date is written once a day, which makes it four times faster. */
function isoTimes(): (time: number) => string {
  let dayStart = NaN
  let date = ''
  return (time) => {
    const start = Math.floor(time / DAY) * DAY
    if (start !== dayStart) {
      dayStart = start
      date = new Date(start).toISOString().slice(0, -'00:00:00.000Z'.length)
    }
    return date + clock(time - start)
  }
}

const two = (value: number): string => (value < 10 ? `0${value}` : `${value}`)

function clock(sinceMidnight: number): string {
  const seconds = Math.floor(sinceMidnight / 1000)
  const milliseconds = String(Math.floor(sinceMidnight % 1000)).padStart(3, '0')
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}.${milliseconds}Z`
}

/** Characters that a file system refuses in a name or misreads: separators, wildcards, controls, leading dots. */
const UNFIT = /[\p{C}\p{Z}\\/:*?"<>|]|^\.+/gu

/** Such as "btc_eth_historical.csv". */
export function csvFileName(symbolA: string, symbolB: string): string {
  const part = (symbol: string) => symbol.toLowerCase().replaceAll(UNFIT, '')
  return `${part(symbolA)}_${part(symbolB)}_historical.csv`
}
