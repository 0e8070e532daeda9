import { readBook } from '../../db/answers/owner-book'
import { MINUTE } from '../../domain/granularity'
import type { OwnerId } from '../../domain/ids'
import { claim } from '../claim'
import type { EngineEnv } from '../env'
import type { SyncReason } from '../reason'
import { isProviderVisit } from './provider-visit'
import { reloadUser } from './user'

/** Milliseconds between two looks at the account: what others change about it shows without a reload. */
const SPACING = MINUTE
/** The user may have changed the account on another device meanwhile. */
const SPACING_BACK = 5_000
/** A limit that was not known here has refused something. */
const SPACING_WANTED = 2_000
/** The network is back: what was begun just before it went need not be waited out. */
export const SPACING_ONLINE = 2_000

/** Asks what has become of the user's account, where it is time to. */
export async function syncUser(env: EngineEnv, owner: OwnerId, reason: SyncReason): Promise<void> {
  const { account_wanted: wanted } = await readBook(env.db, owner)
  const spaced = (await isReturn(env, owner, reason)) ? 0 : wanted === true ? SPACING_WANTED : spacing(reason)
  // Why it could not be had is said where it matters: the session's end by itself, anything else by the status line.
  if (await claim(env, 'account', spaced)) await reloadUser(env)
}

/** True if the user may just have come back from the payment provider: the tier must be right at once, whoever asked before. */
const isReturn = async (env: EngineEnv, owner: OwnerId, reason: SyncReason): Promise<boolean> =>
  (reason === 'start' || reason === 'visible') && isProviderVisit(env, owner)

function spacing(reason: SyncReason): number {
  switch (reason) {
    case 'online':
      return SPACING_ONLINE
    case 'start':
    case 'visible':
      return SPACING_BACK
    default:
      return SPACING
  }
}
