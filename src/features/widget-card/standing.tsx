import { atom, type Atom } from 'jotai'
import { useMemo } from 'react'
import { Link } from 'wouter'
import type { PairSummary } from '../../../workers/api'
import { placeOnRange, type RangeScale } from '../../domain/range-scale'
import { placeWords } from '../../domain/format-number'
import { deviationWords, standingDays, standingSentence } from '../../domain/standing'
import { dayWords } from '../../ui/utc-day'
import { classNames } from '../../ui/class-names'
import { type PairFigures, useFollow } from './figure'
import hidden from '../../ui/visually-hidden.module.css'
import styles from './standing.module.css'

interface StandingProps {
  readonly figures: Pick<PairFigures, 'summary'>
  /** The scale of the pair's range bar. */
  readonly scale: Atom<RangeScale | null>
}

/** The place of a pair's ratio in its 90 days: nine tenths of them as a band on the bar, and below it in words. */
export const Standing = (props: StandingProps) => (
  <>
    <StandingBand {...props} />
    <StandingMark figures={props.figures} className={styles.line} />
  </>
)

/** The part of a range bar in which nine tenths of the days lie, with their median. The bar stands at its parent's upper edge. */
export function StandingBand({ figures: { summary }, scale }: StandingProps) {
  const median = useMemo(
    () =>
      atom((get): number | null => {
        const range = get(scale)
        const standing = get(summary)?.standing
        return range === null || !standing ? null : Math.round(1000 * placeOnRange(range, standing.median)) / 10
      }),
    [summary, scale],
  )
  const ref = useFollow(median, drawBand)
  return (
    <div ref={ref} className={styles.overlay} aria-hidden="true">
      <i className={styles.band} />
      <i className={styles.median} />
    </div>
  )
}

/** @param median place in per cent of the bar's width; null: the days are not known */
function drawBand(overlay: HTMLDivElement, median: number | null): void {
  overlay.hidden = median === null
  if (median !== null) (overlay.lastElementChild as HTMLElement).style.left = `${median}%`
}

interface StandingMarkProps {
  readonly figures: Pick<PairFigures, 'summary'>
  readonly className?: string | undefined
}

/** Such as "97th · +1.9σ in 90 days", which leads to the explanation; nothing while the place is not known. */
export function StandingMark({ figures, className }: StandingMarkProps) {
  const ref = useFollow(figures.summary, write)
  return (
    <p ref={ref} className={classNames(styles.mark, className)} hidden>
      <Link href="/figures#percentile" className={styles.link}>
        <span aria-hidden="true" className={styles.words}>
          <b>
            <span />
            <span className={styles.deviations} />
          </b>
          <span className={styles.days} />
        </span>
        <span className={hidden.hidden} />
      </Link>
    </p>
  )
}

function write(line: HTMLParagraphElement, summary: PairSummary | undefined): void {
  const { standing, closesAge } = summary ?? { standing: null, closesAge: null }
  line.hidden = standing === null && closesAge === null
  if (line.hidden) return
  const link = line.firstElementChild!
  const [words, spoken] = link.children
  const [figures, days] = words!.children
  const [place, deviations] = figures!.children
  const to = standing?.closesTo == null ? '' : ` to ${dayWords(standing.closesTo)}`
  const sentence = standing ? standingSentence(standing) + to : `closes are ${closesAge} days old`
  if (spoken!.textContent !== sentence) {
    spoken!.textContent = sentence
    link.setAttribute('title', sentence)
  }
  setText(place!, standing ? placeWords(standing.percentile) : '')
  setText(deviations!, standing?.z == null ? '' : ` · ${deviationWords(standing.z)}`)
  setText(days!, standing ? ` in ${standingDays(standing)}${to}` : sentence)
  const extreme = standing?.extreme ?? ''
  if (extreme === '') line.removeAttribute('data-extreme')
  else if (line.dataset['extreme'] !== extreme) line.dataset['extreme'] = extreme
}

function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text
}
