import type { Config } from '../../contract/settings'
import type { Account } from '../../db/account'

/** Offer of the upgrade dialog. */
export type Offer =
  /** They have it already. */
  | { readonly kind: 'premium' }
  /** This server sells nothing. */
  | { readonly kind: 'not-sold' }
  /** Premium belongs to an account. */
  | { readonly kind: 'account-first' }
  /** `sandbox`: nothing is charged. */
  | { readonly kind: 'checkout'; readonly sandbox: boolean }

/** @param billing undefined while the server's settings have never been loaded: the server itself answers then */
export function offerOf(account: Account | undefined, billing: Config['billing'] | undefined): Offer {
  if (account === 'premium') return { kind: 'premium' }
  if (billing?.available === false) return { kind: 'not-sold' }
  if (account === 'guest') return { kind: 'account-first' }
  return { kind: 'checkout', sandbox: billing?.sandbox ?? false }
}
