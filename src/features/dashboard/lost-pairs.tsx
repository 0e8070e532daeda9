import { useLiveQuery } from 'dexie-react-hooks'
import { useSetAtom } from 'jotai'
import { CloudAlert } from 'lucide-react'
import { useState } from 'react'
import type { CommandContext, CommandResult } from '../../db/command'
import { type LostPairsView, readLostPairs, removeLostHere, sendLostAgain } from '../../db/lost-pairs'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { AlertDialog } from '../../ui/alert-dialog'
import { Button } from '../../ui/button'
import styles from './lost-pairs.module.css'
import { messageOf } from '../../domain/error-message'

/** More names than these are counted, not listed. */
const MAX_NAMES = 3

function question({ names, all }: LostPairsView): string {
  if (all) return names.length === 1 ? 'The server no longer has your pair.' : 'The server no longer has your pairs.'
  const few = names.length <= MAX_NAMES ? names.join(', ') : `${names.length} of your pairs`
  return `The server no longer has ${few}.`
}

/**
 * Asks a guest what is to become of pairs that the server has lost: this browser has their last copy. The question
 * stands until it is answered, or the server has the pairs again.
 */
export function LostPairs() {
  const { commands, engine } = useServices()
  const lost = useLiveQuery(() => readLostPairs(commands.db), [commands.db])
  const showToast = useSetAtom(showToastAtom)
  const [removing, setRemoving] = useState(false)
  if (lost === undefined || lost.names.length === 0) return null
  const one = lost.names.length === 1

  const run = async (command: (context: CommandContext) => Promise<CommandResult>): Promise<void> => {
    setRemoving(false)
    try {
      const result = await command(commands)
      if (result.ok) engine.requestSync('command')
      else showToast({ kind: 'error', message: result.message })
    } catch (error) {
      // The local database itself failed, such as with a full disk.
      reportError(error)
      showToast({ kind: 'error', message: messageOf(error) })
    }
  }

  return (
    <section className={styles.panel} aria-label="Pairs that the server no longer has">
      <CloudAlert aria-hidden="true" className={styles.icon} />
      <div>
        <p className={styles.title}>{question(lost)}</p>
        <p className={styles.lead}>
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
          onConfirm={() => void run(removeLostHere)}
          onCancel={() => setRemoving(false)}
        >
          <p>
            {lost.names.join(', ')}: this device has the last copy, with thresholds and checkpoints. It cannot be
            brought back.
          </p>
        </AlertDialog>
      )}
    </section>
  )
}
