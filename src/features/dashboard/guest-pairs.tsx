import { useLiveQuery } from 'dexie-react-hooks'
import { useAtomValue, useSetAtom } from 'jotai'
import { HardDrive } from 'lucide-react'
import type { CommandContext, CommandResult } from '../../db/command'
import { bringPairsAlong, leavePairsWithGuest } from '../../db/commands/guest-pairs'
import { type GuestOffer, readGuestOffer } from '../../db/queries/guest-offer'
import { accountAtom } from '../../state/account'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { LinkButton } from '../../ui/link-button'
import { GuestPairsDialog } from './guest-pairs-dialog'
import styles from './guest-pairs.module.css'
import { countOf } from './guest-words'
import { useFreeScreen } from './use-free-screen'

/**
 * Asks a user who has logged in what is to become of the pairs of this browser's guest; once answered, a line goes on
 * offering those that are left. Another dialog is never covered: the question waits for it.
 */
export function GuestPairs() {
  const { commands, engine } = useServices()
  const offer = useLiveQuery(() => readGuestOffer(commands.db), [commands.db]) ?? null
  const account = useAtomValue(accountAtom)
  const showToast = useSetAtom(showToastAtom)
  const asking = useFreeScreen(offer?.ask === true && account?.expired === false)
  // The page may show somebody else for a moment, while the database knows of a logout already.
  if (offer === null || account?.owner !== offer.owner) return null

  const run = async (command: (context: CommandContext) => Promise<CommandResult>): Promise<void> => {
    try {
      const result = await command(commands)
      if (result.ok) engine.requestSync('command')
      else showToast({ type: 'error', message: result.message })
    } catch (error) {
      // The local database itself failed, such as with a full disk.
      reportError(error)
      showToast({ type: 'error', message: error instanceof Error ? error.message : String(error) })
    }
  }
  const bring = () => void run(bringPairsAlong)
  if (asking) return <GuestPairsDialog offer={offer} onBring={bring} onLeave={() => void run(leavePairsWithGuest)} />
  return (
    <p className={styles.line}>
      <span className={styles.state}>
        <HardDrive aria-hidden="true" />
        {lineOf(offer)}
      </span>
      {offer.ready.length > 0 && <LinkButton onClick={bring}>Bring them along</LinkButton>}
    </p>
  )
}

/** Says what is left, and why it cannot all come. */
function lineOf({ ready, beyond }: GuestOffer): string {
  const count = ready.length + beyond
  const kept = `${countOf(count)} from before you logged in ${count === 1 ? 'is' : 'are'} kept in this browser`
  if (beyond === 0) return `${kept}.`
  if (ready.length > 0) return `${kept}; your plan has room for ${ready.length}.`
  return `${kept}. ${count === 1 ? 'It comes' : 'They come'} along when your plan has room.`
}
