import { useAtomValue } from 'jotai'
import { Link } from 'wouter'
import { SIDE_LOOKS } from '../../domain/alerts'
import { useDashboardChoice } from '../../state/use-dashboard-choice'
import { useChance } from '../../state/use-chance'
import { Direction } from '../../ui/direction'
import { type BoardExtremes, chanceRequestOf, chanceWords, extremesAtom, headWords } from './board-extremes'
import styles from './extremes-line.module.css'

/** Pairs that the line names where it has room; on a phone it names the first `NAMED_ON_PHONE` (in the stylesheet too). */
const NAMED = 5
const NAMED_ON_PHONE = 3

/**
 * The pairs beyond a threshold and those at an extreme of their 90 days. Never announced: the cards' figures go on all the
 * time, too.
 */
export function ExtremesLine() {
  const found = useAtomValue(extremesAtom)
  return found && <KnownExtremes found={found} />
}

function KnownExtremes({ found }: { readonly found: BoardExtremes }) {
  const [{ order }, choose] = useDashboardChoice()
  const { named, pairs } = found
  const chance = useChance(pairs.join(' '), () => chanceRequestOf(pairs))
  const [strong, rest] = headWords(found)
  const others = (shown: number, className: string | undefined) =>
    named.length > shown && (
      <button
        type="button"
        className={className}
        disabled={order === 'extreme'}
        onClick={() => choose({ order: 'extreme' })}
      >
        and {named.length - shown} more
      </button>
    )
  return (
    <div role="group" aria-label="Extremes" className={styles.line} data-any={named.length > 0}>
      <p className={styles.head}>
        {strong !== '' && <strong>{strong}</strong>}
        {rest}
      </p>
      {/* It comes later, and moves nothing. */}
      <p className={styles.chance}>{chanceWords(found, chance)}</p>
      {named.length > 0 && (
        <ul className={styles.pairs}>
          {named.slice(0, NAMED).map(({ key, title, path, side, words, sentence }) => (
            <li key={key}>
              <Link href={path} title={sentence} className={styles.pair} data-side={side}>
                <Direction direction={SIDE_LOOKS[side].direction} />
                <b>{title}</b> {words}
              </Link>
            </li>
          ))}
          <li>
            {others(NAMED_ON_PHONE, styles.moreOnPhone)}
            {others(NAMED, styles.more)}
          </li>
        </ul>
      )}
    </div>
  )
}
