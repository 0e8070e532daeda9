import { atom } from 'jotai'
import { useMemo } from 'react'
import { formatPercent } from '../../../domain/format-percent'
import { nearestThreshold } from '../../../domain/pair-order'
import type { PairFigures } from '../slices'
import { useFollow } from '../use-follow'
import styles from './pair-row.module.css'

interface RowDistanceProps {
  readonly figures: PairFigures
  readonly high: number | null
  readonly low: number | null
}

/** How far the ratio is from the nearer threshold; without thresholds what the bar above spans. */
export function RowDistance({ figures, high, low }: RowDistanceProps) {
  const words = useMemo(
    () => atom((get) => (high === null && low === null ? '24h range' : inWords(get(figures.ratio), high, low))),
    [figures, high, low],
  )
  const ref = useFollow(words, write)
  return <span ref={ref} className={styles.distance} />
}

function write(element: HTMLSpanElement, words: string): void {
  element.textContent = words
}

function inWords(ratio: number | null, high: number | null, low: number | null): string {
  const nearest = nearestThreshold(ratio, { high, low })
  if (nearest === null) return ''
  const share = formatPercent(Math.abs(nearest.move)).replace('+', '')
  const { side, move } = nearest
  return move < 0 ? `${share} ${side === 'high' ? 'above high' : 'below low'}` : `${share} to ${side}`
}
