import { useLiveQuery } from 'dexie-react-hooks'
import { useAtomValue } from 'jotai'
import { HardDrive } from 'lucide-react'
import { useEffect, useState } from 'react'
import {
  bringPairsAlong,
  type GuestOffer,
  leavePairsWithGuest,
  readGuestOffer,
} from '../../db/commands/bring-guest-pairs'
import { accountAtom } from '../../state/account'
import { useServices } from '../../state/services'
import { useCommand } from '../../state/use-command'
import { Button, LinkButton } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { useTopModal } from '../../ui/use-modal'
import { BoardLine } from './board-line'
import styles from './guest-offer.module.css'

/**
 * Asks a user who has logged in what is to become of the pairs of this browser's guest, unless they have said so when they
 * made the account; after the answer, a line offers those that are left. The question waits until no other dialog is open.
 */
export function GuestOfferLine() {
  const { db } = useServices().commands
  const offer = useLiveQuery(() => readGuestOffer(db), [db]) ?? null
  const account = useAtomValue(accountAtom)
  const run = useCommand()
  const asking = useFreeScreen(offer?.ask === true && account?.expired === false)
  const brings = offer?.bring === true && account?.owner === offer.owner
  useEffect(() => {
    if (brings) void run(bringPairsAlong)
  }, [brings, run])
  // For a moment the page may show another account: the database knows of a logout first.
  if (offer === null || offer.bring || account?.owner !== offer.owner) return null

  const bring = () => void run(bringPairsAlong)
  if (asking) return <GuestOfferDialog offer={offer} onBring={bring} onLeave={() => void run(leavePairsWithGuest)} />
  return (
    <BoardLine icon={HardDrive} text={lineOf(offer)} className={styles.line}>
      {offer.ready.length > 0 && <LinkButton onClick={bring}>Bring them along</LinkButton>}
    </BoardLine>
  )
}

/** Says how many pairs are left, and why not all can come along. */
function lineOf({ ready, beyond }: GuestOffer): string {
  const count = ready.length + beyond
  const kept = `${countOf(count)} from before you logged in ${count === 1 ? 'is' : 'are'} kept in this browser`
  if (beyond === 0) return `${kept}.`
  if (ready.length > 0) return `${kept}; your plan has room for ${ready.length}.`
  return `${kept}. ${count === 1 ? 'It comes' : 'They come'} along when your plan has room.`
}

/** More names than these are counted, not listed. */
const MAX_NAMES = 6

interface GuestOfferDialogProps {
  readonly offer: GuestOffer
  readonly onBring: () => void
  readonly onLeave: () => void
}

/** The question to a user who has just logged in. Closing the dialog means "Not now". */
function GuestOfferDialog({ offer: { ready, beyond, there }, onBring, onLeave }: GuestOfferDialogProps) {
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

/**
 * True while the caller wants its dialog, from the first moment on at which no other dialog is open. A dialog that opens
 * above it later does not close it.
 */
function useFreeScreen(wanted: boolean): boolean {
  const top = useTopModal()
  const [open, setOpen] = useState(false)
  if (!wanted && open) setOpen(false)
  if (wanted && !open && top === null) setOpen(true)
  return wanted && open
}

const countOf = (count: number): string => (count === 1 ? '1 pair' : `${count} pairs`)
