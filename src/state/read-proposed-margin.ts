import type { WidgetView } from '../db/view'
import { closesByDay, proposedMargin } from '../domain/proposed-margin'
import { PAST_DAYS } from '../domain/threshold-past'
import type { Services } from './services'

/** Milliseconds that a press waits for the pair's past. */
const PAST_TIMEOUT = 1_000

/** The margin that is proposed for a pair whose thresholds are set for the first time; null: none is, or its past is not known. */
export async function readProposedMargin(
  { worker, commands }: Pick<Services, 'worker' | 'commands'>,
  { coinA, coinB, rules, margin }: Pick<WidgetView, 'coinA' | 'coinB' | 'rules' | 'margin'>,
): Promise<number | null> {
  if (rules.length > 0 || margin > 0) return null
  try {
    const read = worker().ratioHistory({ coinA: coinA.id, coinB: coinB.id }, PAST_DAYS, commands.now())
    const history = await Promise.race([read, new Promise<null>((resolve) => setTimeout(resolve, PAST_TIMEOUT, null))])
    return history && proposedMargin(closesByDay(history))
  } catch (error) {
    // The alerts are switched all the same.
    reportError(error)
    return null
  }
}
