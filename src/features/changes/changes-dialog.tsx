import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import type { CommandResult } from '../../db/command'
import { discardChange, retryChange } from '../../db/commands/failed-changes'
import { type DiscardView, readDiscard } from '../../db/queries/discard'
import type { ChangeView } from '../../db/view'
import { boardAtom, nowAtom } from '../../state/live-data'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { AlertDialog } from '../../ui/alert-dialog'
import { Dialog } from '../../ui/dialog'
import { ChangeRow } from './change-row'
import styles from './changes-dialog.module.css'

interface Doomed extends DiscardView {
  readonly change: ChangeView
}

/** Everything the server has not agreed to yet, oldest first; each can be tried again or given up. */
export function ChangesDialog({ onClose }: { readonly onClose: () => void }) {
  const { commands, engine } = useServices()
  const changes = useAtomValue(boardAtom)?.changes ?? []
  const now = useAtomValue(nowAtom)
  const showToast = useSetAtom(showToastAtom)
  const [doomed, setDoomed] = useState<Doomed | null>(null)

  const run = async (command: Promise<CommandResult>): Promise<void> => {
    try {
      const result = await command
      if (result.ok) engine.requestSync('retry')
      else showToast({ type: 'error', message: result.message })
    } catch (error) {
      // The local database itself failed, such as with a full disk.
      reportError(error)
      showToast({ type: 'error', message: error instanceof Error ? error.message : String(error) })
    }
  }
  const ask = async (change: ChangeView): Promise<void> => {
    setDoomed({ change, ...(await readDiscard(commands.db, change.opId)) })
  }
  const discard = ({ opId }: ChangeView) => {
    setDoomed(null)
    void run(discardChange(commands, opId))
  }

  return (
    <Dialog title="Waiting changes" onClose={onClose}>
      {changes.length === 0 ? (
        <p className={styles.empty}>Everything has arrived. Nothing waits.</p>
      ) : (
        <>
          <p className={styles.intro}>They are kept on this device and sent as soon as the server answers.</p>
          <ul className={styles.list}>
            {changes.map((change) => (
              <ChangeRow
                key={change.opId}
                change={change}
                now={now}
                onRetry={() => void run(retryChange(commands, change.opId))}
                onDiscard={() => void ask(change).catch((error: unknown) => reportError(error))}
              />
            ))}
          </ul>
        </>
      )}
      {doomed !== null && (
        <AlertDialog
          title="Discard this change?"
          action="Discard"
          onConfirm={() => discard(doomed.change)}
          onCancel={() => setDoomed(null)}
        >
          <DiscardWords {...doomed} />
        </AlertDialog>
      )}
    </Dialog>
  )
}

function DiscardWords({ change, along, mayHaveArrived }: Doomed) {
  return (
    <>
      <p>“{change.title}” is taken back on this device.</p>
      {along.length > 0 && (
        <>
          <p>{along.length === 1 ? 'This change goes with it:' : `These ${along.length} changes go with it:`}</p>
          <ul className={styles.along}>
            {along.map((title, index) => (
              <li key={index}>{title}</li>
            ))}
          </ul>
        </>
      )}
      {mayHaveArrived && <p>It was sent and may have arrived; a refresh will show.</p>}
    </>
  )
}
