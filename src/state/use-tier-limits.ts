import { useLiveQuery } from 'dexie-react-hooks'
import { readMeta } from '../db/queries/meta'
import type { TierLimits } from '../domain/tier-limits'
import { useServices } from './services'

/** What each tier allows on this server, as last loaded; undefined until then. */
export function useTierLimits(): TierLimits | undefined {
  const { db } = useServices().commands
  return useLiveQuery(() => readMeta(db, 'tier_limits'), [db])?.limits
}
