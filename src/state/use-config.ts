import { useLiveQuery } from 'dexie-react-hooks'
import type { Config } from '../contract/settings'
import { readMeta } from '../db/queries/meta'
import { useServices } from './services'

/** The server's public settings as last loaded; undefined until then. */
export function useConfig(): Config | undefined {
  const { db } = useServices().commands
  return useLiveQuery(() => readMeta(db, 'config'), [db])?.config
}
