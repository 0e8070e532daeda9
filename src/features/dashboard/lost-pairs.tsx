import { useLiveQuery } from 'dexie-react-hooks'
import { CloudAlert } from 'lucide-react'
import { useState } from 'react'
import { type LostPairsView, readLostPairs, removeLostHere, sendLostAgain } from '../../db/commands/lost-pairs'
import { isAnonymousOwner } from '../../domain/ids'
import { useServices } from '../../state/services'
import { useCommand } from '../../state/use-command'
import { AlertDialog } from '../../ui/alert-dialog'
import { Button } from '../../ui/button'
import text from '../../ui/text.module.css'
import styles from './lost-pairs.module.css'

/** More names than these are counted, not listed. */
const MAX_NAMES = 3

function question({ names, all }: LostPairsView): string {
  if (all) return names.length === 1 ? 'The server no longer has your pair.' : 'The server no longer has your pairs.'
  const few = names.length <= MAX_NAMES ? names.join(', ') : `${names.length} of your pairs`
  return `The server no longer has ${few}.`
}

/**
 * Asks what is to become of pairs that the server has lost: of a guest's, this browser has the last copy. The question
 * stands until it is answered, or the server has the pairs again.
 */
export function LostPairs() {
  const { db } = useServices().commands
  const lost = useLiveQuery(() => readLostPairs(db), [db])
  const run = useCommand()
  const [removing, setRemoving] = useState(false)
  if (lost === undefined || lost.names.length === 0) return null
  const one = lost.names.length === 1
  return (
    <section className={styles.panel} aria-label="Pairs that the server no longer has">
      <CloudAlert aria-hidden="true" className={styles.icon} />
      <div>
        <p className={styles.title}>{question(lost)}</p>
        <p className={text.prose}>
          {one ? 'It is kept' : 'They are kept'} on this device. Send {one ? 'it' : 'them'} again?
        </p>
      </div>
      <div className={styles.actions}>
        <Button size="sm" variant="primary" onClick={() => void run(sendLostAgain)}>
          Send again
        </Button>
        <Button size="sm" onClick={() => setRemoving(true)}>
          Remove {one ? 'it' : 'them'} here
        </Button>
      </div>
      {removing && (
        <AlertDialog
          title={one ? 'Remove this pair here?' : `Remove these ${lost.names.length} pairs here?`}
          action="Remove"
          onConfirm={() => {
            setRemoving(false)
            void run(removeLostHere)
          }}
          onCancel={() => setRemoving(false)}
        >
          <p>
            {lost.names.join(', ')}: this device {isAnonymousOwner(lost.owner) ? 'has' : 'may have'} the last copy, with
            thresholds and checkpoints. It cannot be brought back.
          </p>
        </AlertDialog>
      )}
    </section>
  )
}
