import type { GuestOffer } from '../../db/queries/guest-offer'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import styles from './guest-pairs.module.css'
import { countOf } from './guest-words'

/** More names than these are counted, not listed. */
const MAX_NAMES = 6

interface GuestPairsDialogProps {
  readonly offer: GuestOffer
  readonly onBring: () => void
  readonly onLeave: () => void
}

/** The question to a user who has just logged in. Closed in any other way, it is answered with "Not now". */
export function GuestPairsDialog({ offer: { ready, beyond, there }, onBring, onLeave }: GuestPairsDialogProps) {
  const count = ready.length + beyond
  return (
    <Dialog
      title="Bring your pairs along?"
      size="sm"
      onClose={onLeave}
      footer={
        <>
          <Button onClick={onLeave}>Not now</Button>
          <Button variant="primary" onClick={onBring} data-autofocus>
            Bring them along
          </Button>
        </>
      }
    >
      <div className={styles.text}>
        <p className={styles.question}>
          {count === 1
            ? '1 pair from before you logged in is kept in this browser.'
            : `${count} pairs from before you logged in are kept in this browser.`}
        </p>
        <ul className={styles.names} aria-label="Pairs that come along">
          {ready.slice(0, MAX_NAMES).map((name) => (
            <li key={name}>{name}</li>
          ))}
          {ready.length > MAX_NAMES && <li>and {ready.length - MAX_NAMES} more</li>}
        </ul>
        <p>
          {ready.length === 1 ? 'It joins' : 'They join'} your account with thresholds, alerts and checkpoints, and{' '}
          {ready.length === 1 ? 'leaves' : 'leave'} this browser only when the server has{' '}
          {ready.length === 1 ? 'it' : 'them'}.
        </p>
        {beyond > 0 && (
          <p>
            Your plan has no room for {beyond === 1 ? 'one more' : `${beyond} more`}: {countOf(beyond)}{' '}
            {beyond === 1 ? 'stays' : 'stay'} in this browser and {beyond === 1 ? 'is' : 'are'} offered again when there
            is room.
          </p>
        )}
        {there > 0 && (
          <p>
            {countOf(there)} {there === 1 ? 'is' : 'are'} in your account already, and {there === 1 ? 'stays' : 'stay'}{' '}
            as {there === 1 ? 'it is' : 'they are'} there.
          </p>
        )}
      </div>
    </Dialog>
  )
}
