import { type CommandContext, type CommandResult, done, NO_SESSION, runCommand } from '../command'
import { mergeOrAppend } from '../outbox'
import { changeOwnerSyncState } from '../owner-sync-state'

/** Switches the alerts of extremes; the offer of them is answered by that, too. */
export const setExtremes = (context: CommandContext, extremes: boolean): Promise<CommandResult> =>
  runCommand(context, NO_SESSION, async (snapshot) => {
    await mergeOrAppend(context, snapshot, {
      kind: 'alert-settings.save@1',
      payload: { body: { extremes } },
      label: 'Alerts',
    })
    await changeOwnerSyncState(context.db, snapshot.owner, { extremes_offer: 'answered' })
    return done
  })

/** Notes the page's start at which there were pairs first, or that the owner has answered. */
export const noteExtremesOffer = (context: CommandContext, offer: number | 'answered'): Promise<CommandResult> =>
  runCommand(context, NO_SESSION, async ({ owner }) => {
    await changeOwnerSyncState(context.db, owner, { extremes_offer: offer })
    return done
  })
