import { useMemo } from 'react'
import type { ChanceRequest } from '../../../workers/api'
import { FAR_DEVIATIONS } from '../../domain/chance-of-extremes'
import { withDecimals } from '../../domain/format-number'
import type { StatisticWindow } from '../../domain/pair-statistics'
import { useChance } from '../../state/use-chance'
import { FigureLink } from '../../ui/figure-link'
import { columnsOf, type RadarMarket } from './radar-market'
import styles from './radar-states.module.css'
import { pairsWords } from './radar-words'

interface ChanceLineProps {
  readonly market: RadarMarket
  readonly rows: Uint32Array
  readonly window: StatisticWindow
}

/** How many of the listed pairs stand far from their average, beside how many chance puts there. */
export function ChanceLine({ market, rows, window }: ChanceLineProps) {
  const { z } = columnsOf(market, window)
  const known = rows.filter((pair) => !Number.isNaN(z[pair]))
  const far = known.filter((pair) => Math.abs(z[pair]!) > FAR_DEVIATIONS).length
  // Other prices bring another order of the same pairs: what chance puts there stays.
  const key = useMemo(() => [market.fetchedAt, market.coins, window, rows.toSorted()].join(' '), [market, rows, window])
  const chance = useChance(key, () => requestOf(market, rows, window))
  if (known.length === 0) return null
  const count = (value: number) => withDecimals(value, 0)
  return (
    <p className={styles.line}>
      {count(far)} of {pairsWords(known.length)} beyond 2σ
      {chance !== null && (
        <>
          ; the same days <FigureLink figure="chance">in shuffled order</FigureLink> put {count(chance.median)} there (
          {count(chance.low)} to {count(chance.high)})
        </>
      )}
      .
    </p>
  )
}

const requestOf = ({ coins, a, b }: RadarMarket, rows: Uint32Array, window: StatisticWindow): ChanceRequest => {
  const pairs = rows.toSorted()
  return {
    coins,
    a: Uint16Array.from(pairs, (pair) => a[pair]!),
    b: Uint16Array.from(pairs, (pair) => b[pair]!),
    window,
    line: 'deviations',
  }
}
