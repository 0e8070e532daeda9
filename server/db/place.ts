import type { Env } from '../env'

/** The database that `env` means, in words for an operator: no password. */
export function placeOf({ DATABASE_URL, DATA_DIR }: Pick<Env, 'DATABASE_URL' | 'DATA_DIR'>): string {
  if (DATABASE_URL === undefined) return `The embedded database in ${DATA_DIR}`
  const { hostname, port, pathname } = new URL(DATABASE_URL)
  return `PostgreSQL ${hostname}:${port || '5432'}${pathname}`
}
