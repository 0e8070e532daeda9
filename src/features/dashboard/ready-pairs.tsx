import { useSetAtom } from 'jotai'
import { pairTitle, READY_PAIRS, type ReadyPair } from '../../domain/pair'
import { cardFocusAtom } from '../../state/card-slot'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { Button } from '../../ui/button'
import { deferredComponent } from '../../ui/deferred-component'
import styles from './ready-pairs.module.css'
import { messageOf } from '../../domain/error-message'

const ReadyFeed = deferredComponent(async () => (await import('./ready-figures')).ReadyFeed)
const ReadyFigures = deferredComponent(async () => (await import('./ready-figures')).ReadyFigures)

/** Pairs that one press adds, to begin with. Their figures come later, into room that is kept for them. */
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
  const { commands, engine } = useServices()
  const setCardFocus = useSetAtom(cardFocusAtom)
  const showToast = useSetAtom(showToastAtom)
  return async ({ coinA, coinB }) => {
    try {
      const { addWidget } = await import('../../db/commands/widgets')
      const result = await addWidget(commands, { coinA: coinA.id, coinB: coinB.id })
      if (!result.ok) return showToast({ kind: 'error', message: result.message })
      engine.requestSync('command')
      setCardFocus(result.value)
    } catch (error) {
      // The local database itself failed, such as with a full disk, or the command's code could not be had.
      reportError(error)
      showToast({ kind: 'error', message: messageOf(error) })
    }
  }
}
