import { useAtomValue } from 'jotai'
import { Link } from 'wouter'
import { chartPath } from '../../domain/app-paths'
import { pairTitle } from '../../domain/pair'
import { byExtremity } from '../../domain/pair-order'
import { type PairStanding, placeWords, standingDays, standingSentence } from '../../domain/standing'
import { steadyAtom } from '../../state/keep-identity'
import { boardAtom, pairKey, summariesAtom } from '../../state/live-data'
import { useDashboardChoice } from '../../state/use-dashboard-choice'
import { Direction } from '../../ui/direction'
import styles from './extremes-line.module.css'

/** Pairs that the line names where it has room; on a phone it names the first `NAMED_ON_PHONE` (in the stylesheet too). */
const NAMED = 5
const NAMED_ON_PHONE = 3

interface NamedExtreme {
  readonly key: string
  readonly title: string
  readonly path: string
  readonly side: 'high' | 'low'
  readonly place: string
  readonly sentence: string
}

interface ExtremesOfBoard {
  readonly count: number
  /** Pairs whose place is not known. */
  readonly unknown: number
  /** The most extreme first. */
  readonly extremes: readonly NamedExtreme[]
}

/** Null until all pairs have been summarised. */
const extremesAtom = steadyAtom((get): ExtremesOfBoard | null => {
  const widgets = (get(boardAtom)?.widgets ?? []).filter(({ isActive }) => isActive)
  const summaries = get(summariesAtom)
  const found = widgets.map((widget) => ({
    widget,
    standing: summaries.get(pairKey({ coinA: widget.coinA.id, coinB: widget.coinB.id }))?.standing,
  }))
  if (widgets.length === 0 || found.some(({ standing }) => standing === undefined)) return null
  const at = found
    .toSorted((a, b) => byExtremity(a.standing ?? null, b.standing ?? null))
    .flatMap(({ widget, standing }) => {
      const side = standing?.extreme ?? null
      return standing && side !== null ? [{ widget, standing, side }] : []
    })
  return {
    count: widgets.length,
    unknown: found.filter(({ standing }) => standing === null).length,
    extremes: at.map(({ widget, standing, side }) => ({
      key: widget.key,
      title: pairTitle(widget),
      path: chartPath(widget.id),
      side,
      place: shortPlace(standing),
      sentence: standingSentence(standing),
    })),
  }
})

/** Such as "high, 97th", or "low, lowest of 62 days". */
const shortPlace = (standing: PairStanding): string => {
  const place = placeWords(standing.percentile)
  return place === 'lowest' || place === 'highest' ? `${place} of ${standingDays(standing)}` : place
}

/** The pairs that stand at an extreme of their 90 days. Never announced: the cards' figures go on all the time, too. */
export function ExtremesLine() {
  const found = useAtomValue(extremesAtom)
  const [{ order }, choose] = useDashboardChoice()
  if (found === null) return null
  const { count, unknown, extremes } = found
  const more = (named: number) => extremes.length - named
  const rest = (named: number, className: string | undefined) =>
    more(named) > 0 && (
      <button
        type="button"
        className={className}
        disabled={order === 'extreme'}
        onClick={() => choose({ order: 'extreme' })}
      >
        and {more(named)} more
      </button>
    )
  return (
    <div role="group" aria-label="Extremes" className={styles.line} data-any={extremes.length > 0}>
      <p className={styles.head}>
        {extremes.length > 0 ? (
          <>
            <strong>
              {extremes.length} of {count}
            </strong>{' '}
            at an extreme of 90 days
          </>
        ) : unknown === count ? (
          'Too few days are known yet to say which pairs are at an extreme.'
        ) : (
          `None of your ${count} pairs is at an extreme of its 90 days.`
        )}
        {unknown > 0 && unknown < count && ` · ${unknown} not known yet`}
      </p>
      {extremes.length > 0 && (
        <ul className={styles.pairs}>
          {extremes.slice(0, NAMED).map(({ key, title, path, side, place, sentence }) => (
            <li key={key}>
              <Link href={path} title={sentence} className={styles.pair} data-side={side}>
                <Direction direction={side === 'high' ? 'up' : 'down'} />
                <b>{title}</b> {side}, {place}
              </Link>
            </li>
          ))}
          <li>
            {rest(NAMED_ON_PHONE, styles.moreOnPhone)}
            {rest(NAMED, styles.more)}
          </li>
        </ul>
      )}
    </div>
  )
}
