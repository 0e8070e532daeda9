import type { Database } from '../../db/open'
import type { Env } from '../../env'
import { TooManyAttempts } from '../../too-many-attempts'
import { countForAddress, type MarketKind } from '../address-limits'

/** Counts what an address has the provider asked for. @returns false where that is too much: it must not be asked */
export type Charge = (kind: MarketKind, ip: string | undefined) => Promise<boolean>

/** For a provider whose calls cost nothing: counts nothing. Calls that no address asks for are never counted either. */
export const chargeNobody: Charge = async () => true

export function chargeAddresses({ orm }: Database, env: Env, clock: () => number): Charge {
  return async (kind, ip) => {
    if (ip === undefined) return true
    try {
      await countForAddress(orm, env, kind, ip, clock())
      return true
    } catch (error) {
      if (error instanceof TooManyAttempts) return false
      throw error
    }
  }
}
