import { useEffect, useMemo, useState } from 'react'
import type { ChanceRequest } from '../../../workers/api'
import { type ChanceCount, FAR_DEVIATIONS } from '../../domain/chance-of-extremes'
import { withDecimals } from '../../domain/format-number'
import type { StatisticWindow } from '../../domain/pair-statistics'
import { useServices } from '../../state/services'
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
  const chance = useChance(market, rows, window)
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

/** Asked for when the list is on the screen; null until the answer for these very pairs has come. */
function useChance(market: RadarMarket, rows: Uint32Array, window: StatisticWindow): ChanceCount | null {
  const services = useServices()
  const [answer, setAnswer] = useState<{ readonly key: string; readonly chance: ChanceCount | null }>()
  // Other prices bring another order of the same pairs: what chance puts there stays.
  const key = useMemo(() => [market.fetchedAt, market.coins, window, rows.toSorted()].join(' '), [market, rows, window])
  useEffect(() => {
    let isCurrent = true
    services
      .worker()
      .chance(requestOf(market, rows, window))
      .then((chance) => {
        if (isCurrent) setAnswer({ key, chance })
      }, reportError)
    return () => {
      isCurrent = false
    }
    // oxlint-disable-next-line react/exhaustive-deps -- the key stands for the pairs
  }, [services, key])
  return answer?.key === key ? answer.chance : null
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
