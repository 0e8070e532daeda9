import type { AccountView } from '../db/queries/account'
import { isOutside } from './outside/addresses'

/** What stands in the window as a whole. */
export type Place =
  | { readonly kind: 'outside' }
  | { readonly kind: 'loading' }
  /** The policies, until this user has accepted them. */
  | { readonly kind: 'policies'; readonly owner: AccountView['owner'] }
  | { readonly kind: 'shell'; readonly owner: AccountView['owner'] }

/** @param account undefined while the session is loading */
export function placeOf(path: string, account: AccountView | undefined): Place {
  if (isOutside(path)) return { kind: 'outside' }
  if (account === undefined) return { kind: 'loading' }
  return { kind: account.mustAccept ? 'policies' : 'shell', owner: account.owner }
}
