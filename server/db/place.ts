import { resolve } from 'node:path'
import type { Env } from '../env'

/** The database that `env` means, in words for an operator: no password, and no path that depends on where one stands. */
export function placeOf({ DATABASE_URL, DATA_DIR }: Pick<Env, 'DATABASE_URL' | 'DATA_DIR'>): string {
  if (DATABASE_URL === undefined) return `The embedded database in ${resolve(DATA_DIR)}`
  const { hostname, port, pathname } = new URL(DATABASE_URL)
  return `PostgreSQL ${hostname}:${port || '5432'}${pathname}`
}
