import type { AccountView } from '../../db/queries/account'

/** How far a payment has come, for the page that people are sent to after it. */
export type Confirmation =
  /** The session has not been read yet. */
  | 'reading'
  | 'confirming'
  | 'active'
  /** It takes longer than it should. */
  | 'late'
  | 'offline'
  /** The user who paid is not signed in here any more. */
  | 'signed-out'

interface Facts {
  readonly account: Pick<AccountView, 'account' | 'expired'> | undefined
  /** Whether the browser has a network, and the server answered the last time it was asked. */
  readonly reachable: boolean
  readonly late: boolean
}

export function confirmationOf({ account, reachable, late }: Facts): Confirmation {
  if (account === undefined) return 'reading'
  if (account.account === 'guest' || account.expired) return 'signed-out'
  if (account.account === 'premium') return 'active'
  if (!reachable) return 'offline'
  return late ? 'late' : 'confirming'
}
