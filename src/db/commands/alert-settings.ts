import type { AlertSettingsBody } from '../../contract/alerts'
import { type CommandContext, type CommandResult, done, NO_SESSION, runCommand } from '../command'
import { mergeOrAppend } from '../outbox'
import { changeOwnerSyncState } from '../owner-sync-state'
import type { Snapshot } from '../snapshot'

/** Switches the alerts of extremes; the offer of them is answered by that, too. */
export const setExtremes = (context: CommandContext, extremes: boolean): Promise<CommandResult> =>
  runCommand(context, NO_SESSION, async (snapshot) => {
    await queueSettings(context, snapshot, { extremes })
    await changeOwnerSyncState(context.db, snapshot.owner, { extremes_offer: 'answered' })
    return done
  })

/** Changes quiet hours, or the pause. */
export const saveAlertHold = (
  context: CommandContext,
  body: Pick<AlertSettingsBody, 'quiet_hours' | 'paused_until'>,
): Promise<CommandResult> =>
  runCommand(context, NO_SESSION, async (snapshot) => {
    await queueSettings(context, snapshot, body)
    return done
  })

export const queueSettings = (context: CommandContext, snapshot: Snapshot, body: AlertSettingsBody) =>
  mergeOrAppend(context, snapshot, { kind: 'alert-settings.save@1', payload: { body }, label: 'Alerts' })

/** Notes the page's start at which there were pairs first, or that the owner has answered. */
export const noteExtremesOffer = (context: CommandContext, offer: number | 'answered'): Promise<CommandResult> =>
  runCommand(context, NO_SESSION, async ({ owner }) => {
    await changeOwnerSyncState(context.db, owner, { extremes_offer: offer })
    return done
  })
