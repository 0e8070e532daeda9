import { atom, useAtomValue } from 'jotai'
import { LayoutDashboard } from 'lucide-react'
import { memo, useMemo } from 'react'
import { Link } from 'wouter'
import type { CoinView } from '../../db/view'
import { isLiveAt } from '../../domain/ages'
import { percentWords } from '../../domain/coin-moves'
import { formatRatio, placeWords } from '../../domain/format-number'
import { formatMoment } from '../../domain/local-time'
import type { StatisticWindow } from '../../domain/pair-statistics'
import { pairTitle } from '../../domain/pair'
import { extremeOf } from '../../domain/extreme'
import { nowAtom } from '../../state/live-data'
import { CoinIcon } from '../../ui/coin-icon'
import { dayWords } from '../../ui/utc-day'
import { VisuallyHidden } from '../../ui/visually-hidden'
import type { PairAddress } from './radar-query'
import { isOwn, radarFigures, type RadarFigures, type RadarMarket, rowsOf, isFlipped } from './radar-market'
import styles from './radar-row.module.css'
import { daysWords, missingWords, sigmaWords } from './radar-words'

interface RadarRowProps {
  readonly market: RadarMarket
  readonly pair: number
  readonly window: StatisticWindow
  /** Place in the list, from 0, and the list's length. */
  readonly index: number
  readonly count: number
  /** CSS pixels from the upper edge of the list. */
  readonly offset: number
  readonly pairLink: PairAddress
  /** With the pair, or null when the focus leaves it. */
  readonly onFocus: (pair: number | null) => void
}

/** One pair; the whole row leads to its sheet. */
export const RadarRow = memo(function RadarRow(props: RadarRowProps) {
  const { market, pair, window, index, count, offset, pairLink, onFocus } = props
  const [rowA, rowB] = rowsOf(market, pair)
  const [coinA, coinB] = [market.labels[rowA]!, market.labels[rowB]!]
  const figures = radarFigures(market, pair, window)
  const missing = missingWords(market, pair, window)
  const lastDay = dayWords(market.firstDay + market.days - 1)
  return (
    <li
      className={styles.row}
      data-extreme={(missing === null && market.age.closes === 'newest' && extremeOf(figures)) || undefined}
      aria-setsize={count}
      aria-posinset={index + 1}
      style={{ translate: `0 ${offset}px` }}
    >
      <span className={styles.icons}>
        <CoinIcon image={coinA.image} />
        <CoinIcon image={coinB.image} />
      </span>
      <span className={styles.pair}>
        <Link
          className={styles.link ?? ''}
          {...pairLink(coinA.id, coinB.id)}
          onFocus={() => onFocus(pair)}
          onBlur={() => onFocus(null)}
        >
          {pairTitle({ coinA, coinB })}
        </Link>
        {isOwn(market, pair) && (
          <span className={styles.own} title="On your dashboard">
            <LayoutDashboard aria-hidden="true" />
            <VisuallyHidden>, on your dashboard</VisuallyHidden>
          </span>
        )}
      </span>
      <span className={styles.ratio}>
        <VisuallyHidden>Ratio </VisuallyHidden>
        {formatRatio(figures.ratio)}
        <span className={styles.moment}>
          {figures.pricedAt !== null ? (
            <Moment at={figures.pricedAt} clockAhead={market.clockAhead} />
          ) : (
            <>
              <span className={styles.wide}>close of </span>
              {lastDay}
            </>
          )}
        </span>
      </span>
      {missing === null ? (
        <Place figures={figures} window={window} coins={{ a: coinA, b: coinB }} />
      ) : (
        <span className={styles.note}>{missing}</span>
      )}
      <Spark market={market} pair={pair} window={window} />
    </li>
  )
})

/** The time of a price; "live" while that is new. */
function Moment({ at, clockAhead }: { readonly at: number; readonly clockAhead: number }) {
  const words = useMemo(
    () =>
      atom((get) => {
        const now = get(nowAtom)
        return isLiveAt(at, now - clockAhead) ? 'live' : formatMoment(at, now)
      }),
    [at, clockAhead],
  )
  return useAtomValue(words)
}

interface PlaceProps {
  readonly figures: RadarFigures
  readonly window: StatisticWindow
  readonly coins: Readonly<Record<'a' | 'b', CoinView>>
}

/** Place of the ratio in its window, and the coin that brought it there. */
function Place({ figures, window, coins }: PlaceProps) {
  const { z, percentile, mover } = figures
  const sigma = sigmaWords(figures)
  const place = placeWords(percentile)
  const days = daysWords(figures, window)
  return (
    <>
      <span className={styles.z}>
        <VisuallyHidden>From average </VisuallyHidden>
        {sigma !== null && `${sigma} · `}
        <span className={styles.percent}>{percentWords(figures.distance)}</span>
      </span>
      <Track z={figures.isPegged ? NaN : z} />
      <span className={styles.percentile}>
        {place}
        {place !== 'lowest' && place !== 'highest' && <VisuallyHidden> percentile</VisuallyHidden>}
      </span>
      <span className={styles.note}>
        {mover !== null && (
          <>
            <span aria-hidden="true" title={`${coins[mover].symbol} made over 75 % of this distance`}>
              {coins[mover].symbol} moved
            </span>
            <VisuallyHidden>{coins[mover].symbol} made most of this distance</VisuallyHidden>
          </>
        )}
        {mover !== null && days !== null && ' · '}
        {days}
      </span>
    </>
  )
}

/** Deviations at the ends of the scale. */
const SCALE_END = 3

/** The distance on a scale of −3 to +3; an arrow stands for one beyond. The figure beside it says the same in words. */
function Track({ z }: { readonly z: number }) {
  if (Number.isNaN(z)) return <span className={styles.track} aria-hidden="true" />
  const place = Math.max(-SCALE_END, Math.min(SCALE_END, z))
  const beyond = z > SCALE_END ? 'high' : z < -SCALE_END ? 'low' : undefined
  return (
    <span className={styles.track} aria-hidden="true">
      <span
        className={styles.dot}
        data-beyond={beyond}
        style={{ left: `${((place + SCALE_END) / (2 * SCALE_END)) * 100}%` }}
      />
    </span>
  )
}

function Spark({ market, pair, window }: Pick<RadarRowProps, 'market' | 'pair' | 'window'>) {
  const path = useMemo(() => radarSparkline(market, pair, window), [market, pair, window])
  return (
    <svg
      className={styles.spark}
      viewBox={`0 0 ${SPARK.width} ${SPARK.height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {path !== null && <path d={path} />}
    </svg>
  )
}

/** Box of a sparkline, in units of its SVG. */
const SPARK = { width: 88, height: 24 } as const
/** Points of a sparkline: more would not be told apart. */
const MAX_POINTS = 90

const round = (value: number): number => Math.round(value * 10) / 10

/**
 * Path of a pair's log ratio over the window, the current ratio last, the largest at the upper edge; days that are not known
 * are bridged. Null with fewer than two points.
 */
function radarSparkline(market: RadarMarket, pair: number, window: StatisticWindow): string | null {
  const { a, b, closes, days, ratio } = market
  const [rowA, rowB] = [a[pair]! * days, b[pair]! * days]
  const span = Math.min(window, days)
  const stride = Math.ceil(span / MAX_POINTS)
  const sign = isFlipped(market, pair) ? -1 : 1
  const xs: number[] = []
  const ys: number[] = []
  const add = (x: number, value: number) => {
    if (!Number.isFinite(value)) return
    xs.push(x)
    ys.push(value * sign)
  }
  for (let day = (span - 1) % stride; day < span; day += stride) {
    const at = days - span + day
    add(day, Math.log(closes[rowA + at]! / closes[rowB + at]!))
  }
  if (market.live[pair] === 1) add(span, Math.log(ratio[pair]!))
  if (xs.length < 2) return null
  const [low, high] = [Math.min(...ys), Math.max(...ys)]
  const perUnit = high > low ? SPARK.height / (high - low) : 0
  const perDay = SPARK.width / span
  return xs
    .map((x, index) => {
      const y = perUnit === 0 ? SPARK.height / 2 : (high - ys[index]!) * perUnit
      return `${index === 0 ? 'M' : 'L'}${round(x * perDay)} ${round(y)}`
    })
    .join('')
}
