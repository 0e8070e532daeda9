import { useSetAtom } from 'jotai'
import { ArrowLeftRight, CloudOff } from 'lucide-react'
import { pairTitle, READY_PAIRS, type ReadyPair } from '../../domain/pair'
import { cardFocusAtom } from '../../state/card-slot'
import { loadCommands, useCommand } from '../../state/use-command'
import { Button } from '../../ui/button'
import { EmptyState } from '../../ui/empty-state'
import { lateComponent } from '../../ui/late-component'
import styles from './message-state.module.css'
import readyStyles from './ready-pairs.module.css'

/** A board that is known to be empty. */
export const EmptyBoard = ({ onAdd }: { readonly onAdd: () => void }) => (
  <EmptyState icon={ArrowLeftRight} labelledBy="welcome" className={styles.state}>
    <h1 id="welcome" className={styles.title}>
      Welcome! Compare any two coins.
    </h1>
    <p>You haven't added any crypto pairs yet.</p>
    <p className={styles.hint}>
      Pick two coins and see what one is worth in the other, live, with its history behind it.
    </p>
    <Button variant="primary" onClick={onAdd}>
      + Add Your First Pair
    </Button>
    <ReadyPairs />
  </EmptyState>
)

interface UnreachableStateProps {
  readonly title: string
  readonly text: string
  readonly onRetry: () => void
}

/** Nothing can be shown yet, and why. */
export const UnreachableState = ({ title, text, onRetry }: UnreachableStateProps) => (
  <EmptyState icon={CloudOff} labelledBy="unreachable" className={styles.state}>
    <h1 id="unreachable" className={styles.title}>
      {title}
    </h1>
    <p className={styles.hint}>{text}</p>
    <Button onClick={onRetry}>Try again</Button>
  </EmptyState>
)

const ReadyFeed = lateComponent(async () => (await import('./ready-figures')).ReadyFeed)
const ReadyFigures = lateComponent(async () => (await import('./ready-figures')).ReadyFigures)

/** Pairs that one press adds. Their figures come later; the styles keep room for them. */
function ReadyPairs() {
  const add = useAddReadyPair()
  return (
    <section className={readyStyles.ready} aria-labelledby="ready-pairs">
      <h2 id="ready-pairs" className={readyStyles.heading}>
        Or start with one of these
      </h2>
      <ul className={readyStyles.list}>
        {READY_PAIRS.map((pair) => {
          const title = pairTitle(pair)
          return (
            <li key={title} className={readyStyles.pair}>
              <div className={readyStyles.head}>
                <h3 className={readyStyles.title}>{title}</h3>
                <Button size="sm" aria-label={`Add ${title}`} onClick={() => void add(pair)}>
                  + Add
                </Button>
              </div>
              <div className={readyStyles.figures}>
                <ReadyFigures pair={pair} />
              </div>
            </li>
          )
        })}
      </ul>
      <ReadyFeed />
    </section>
  )
}

function useAddReadyPair(): (pair: ReadyPair) => Promise<void> {
  const run = useCommand()
  const setCardFocus = useSetAtom(cardFocusAtom)
  return async ({ coinA, coinB }) => {
    const result = await run(async (context) => {
      const { addWidget } = await loadCommands()
      return addWidget(context, { coinA: coinA.id, coinB: coinB.id })
    })
    if (result.ok) setCardFocus(result.value)
  }
}
