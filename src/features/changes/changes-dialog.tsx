import { useAtomValue } from 'jotai'
import { useId, useState } from 'react'
import { RotateCw, Trash2 } from 'lucide-react'
import { discardChange, type DiscardView, readDiscard, retryChange } from '../../db/commands/failed-changes'
import type { ChangeView } from '../../db/view'
import { boardAtom, nowAtom } from '../../state/live-data'
import { useServices } from '../../state/services'
import { useCommand } from '../../state/use-command'
import { AlertDialog } from '../../ui/alert-dialog'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { formatMoment } from '../../domain/local-time'
import text from '../../ui/text.module.css'
import styles from './changes-dialog.module.css'

interface Discarded extends DiscardView {
  readonly change: ChangeView
}

/** Mutations that the server has not accepted yet, oldest first; the user can retry or discard each. */
export function ChangesDialog({ onClose }: { readonly onClose: () => void }) {
  const { db } = useServices().commands
  const run = useCommand()
  const changes = useAtomValue(boardAtom)?.changes ?? []
  const now = useAtomValue(nowAtom)
  const [discarded, setDiscarded] = useState<Discarded | null>(null)

  const ask = async (change: ChangeView): Promise<void> => {
    setDiscarded({ change, ...(await readDiscard(db, change.opId)) })
  }
  const discard = ({ opId }: ChangeView) => {
    setDiscarded(null)
    void run((context) => discardChange(context, opId))
  }

  return (
    <Dialog title="Waiting changes" onClose={onClose}>
      {changes.length === 0 ? (
        <p className={text.muted}>Everything has arrived. Nothing waits.</p>
      ) : (
        <>
          <p className={text.muted}>They are kept on this device and sent as soon as the server answers.</p>
          <ul className={styles.list}>
            {changes.map((change) => (
              <ChangeRow
                key={change.opId}
                change={change}
                now={now}
                onRetry={() => void run((context) => retryChange(context, change.opId))}
                onDiscard={() => void ask(change).catch((error: unknown) => reportError(error))}
              />
            ))}
          </ul>
        </>
      )}
      {discarded !== null && (
        <AlertDialog
          title="Discard this change?"
          action="Discard"
          onConfirm={() => discard(discarded.change)}
          onCancel={() => setDiscarded(null)}
        >
          <DiscardWords {...discarded} />
        </AlertDialog>
      )}
    </Dialog>
  )
}

const DiscardWords = ({ change, along, mayHaveArrived }: Discarded) => (
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

interface ChangeRowProps {
  readonly change: ChangeView
  /** Milliseconds. */
  readonly now: number
  readonly onRetry: () => void
  readonly onDiscard: () => void
}

function ChangeRow({ change, now, onRetry, onDiscard }: ChangeRowProps) {
  const id = useId()
  const canRetry = change.state === 'failed' || change.state === 'waiting'
  return (
    <li className={styles.row}>
      <div className={styles.text}>
        <p id={id} className={styles.title}>
          {change.title}
          {change.state === 'failed' && <Badge tone="danger">Refused</Badge>}
        </p>
        <p className={styles.status}>{changeStatus(change, now)}</p>
        {change.state === 'waiting' && change.problem !== null && (
          <p className={styles.status}>Last try: {change.problem}</p>
        )}
      </div>
      <div className={styles.actions}>
        {canRetry && (
          <Button size="sm" icon={RotateCw} aria-describedby={id} onClick={onRetry}>
            Retry
          </Button>
        )}
        <Button
          size="sm"
          variant="ghost"
          icon={Trash2}
          aria-describedby={id}
          disabled={!change.canDiscard}
          onClick={onDiscard}
        >
          Discard
        </Button>
      </div>
    </li>
  )
}

/** State of a mutation, in one line. `now` in milliseconds. */
function changeStatus(change: ChangeView, now: number): string {
  const since = formatMoment(change.since, now)
  switch (change.state) {
    case 'sending':
      return 'Being sent now'
    case 'failed':
      return change.problem ?? 'The server refused it.'
    case 'unknown-version':
      return 'Made by a newer version of the app; update to send it.'
    case 'waiting': {
      const next = change.nextTryAt
      if (change.attempts > 0 && (next === null || next <= now)) return `Sent, no answer yet; waiting since ${since}`
      return next === null || next <= now
        ? `Waiting since ${since}`
        : `Waiting since ${since}, next try at ${formatMoment(next, now)}`
    }
  }
}
