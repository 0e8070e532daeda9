import { randomUUID } from 'node:crypto'

/**
 * Stands in for the identity service: issues, expires and rotates tokens as the API says. Times are milliseconds.
 */
export interface Accounts {
  readonly signIn: (account: string) => { readonly access: string; readonly refresh: string }
  readonly check: (access: string) => { readonly account: string } | 'TOKEN_EXPIRED' | 'INVALID_TOKEN'
  readonly refresh: (token: string) => { readonly access: string; readonly refresh: string } | 'INVALID_REFRESH_TOKEN'
  readonly expireAll: () => void
  /** Ends every session of an account: its access tokens count as expired, so that a refresh hears the verdict. */
  readonly endAll: (account: string) => void
}

const ACCESS_LIFE = 15 * 60_000
/** For so long after its successor was first used, a rotated token still gets the same successor. */
const GRACE = 60_000

interface Family {
  readonly account: string
  revoked: boolean
}
interface RefreshToken {
  readonly family: Family
  successor: string | null
  /** When the token was first presented. */
  used: number | null
}

export function createAccounts(now: () => number): Accounts {
  const access = new Map<string, { readonly account: string; expires: number }>()
  const refresh = new Map<string, RefreshToken>()
  const issueAccess = (account: string): string => {
    const token = `access-${randomUUID()}`
    access.set(token, { account, expires: now() + ACCESS_LIFE })
    return token
  }
  const families = new Set<Family>()
  const issueRefresh = (family: Family): string => {
    const token = `refresh-${randomUUID()}`
    refresh.set(token, { family, successor: null, used: null })
    return token
  }
  return {
    signIn(account) {
      const family = { account, revoked: false }
      families.add(family)
      return { access: issueAccess(account), refresh: issueRefresh(family) }
    },
    check(token) {
      const known = access.get(token)
      if (known === undefined) return 'INVALID_TOKEN'
      return now() >= known.expires ? 'TOKEN_EXPIRED' : { account: known.account }
    },
    refresh(token) {
      const presented = refresh.get(token)
      if (presented === undefined || presented.family.revoked) return 'INVALID_REFRESH_TOKEN'
      const successor = presented.successor === null ? null : refresh.get(presented.successor)!
      if (successor?.used != null && now() > successor.used + GRACE) {
        presented.family.revoked = true
        return 'INVALID_REFRESH_TOKEN'
      }
      presented.used ??= now()
      presented.successor ??= issueRefresh(presented.family)
      return { access: issueAccess(presented.family.account), refresh: presented.successor }
    },
    endAll(account) {
      for (const family of families) if (family.account === account) family.revoked = true
      for (const token of access.values()) if (token.account === account) token.expires = Math.min(token.expires, now())
    },
    expireAll() {
      for (const token of access.values()) token.expires = Math.min(token.expires, now())
    },
  }
}
