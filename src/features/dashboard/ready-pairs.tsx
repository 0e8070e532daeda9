import { useSetAtom } from 'jotai'
import { pairTitle, READY_PAIRS, type ReadyPair } from '../../domain/pair'
import { cardFocusAtom } from '../../state/card-slot'
import { useCommand } from '../../state/use-command'
import { Button } from '../../ui/button'
import { deferredComponent } from '../../ui/deferred-component'
import styles from './ready-pairs.module.css'

const ReadyFeed = deferredComponent(async () => (await import('./ready-figures')).ReadyFeed)
const ReadyFigures = deferredComponent(async () => (await import('./ready-figures')).ReadyFigures)

/** Pairs that one press adds. Their figures come later; the styles keep room for them. */
export function ReadyPairs() {
  const add = useAddReadyPair()
  return (
    <section className={styles.ready} aria-labelledby="ready-pairs">
      <h2 id="ready-pairs" className={styles.heading}>
        Or start with one of these
      </h2>
      <ul className={styles.list}>
        {READY_PAIRS.map((pair) => {
          const title = pairTitle(pair)
          return (
            <li key={title} className={styles.pair}>
              <div className={styles.head}>
                <h3 className={styles.title}>{title}</h3>
                <Button size="sm" aria-label={`Add ${title}`} onClick={() => void add(pair)}>
                  + Add
                </Button>
              </div>
              <div className={styles.figures}>
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
      const { addWidget } = await import('../../db/commands/widgets')
      return addWidget(context, { coinA: coinA.id, coinB: coinB.id })
    })
    if (result.ok) setCardFocus(result.value)
  }
}
