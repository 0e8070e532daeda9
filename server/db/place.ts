import { resolve } from 'node:path'
import type { Env } from '../env'
import { serversOf } from './servers'

/** The database that `env` means, in words for an operator: no password, and no path that depends on where one stands. */
export function placeOf({ DATABASE_URL, DATA_DIR }: Pick<Env, 'DATABASE_URL' | 'DATA_DIR'>): string {
  if (DATABASE_URL === undefined) return `The embedded database in ${resolve(DATA_DIR)}`
  const servers = serversOf(DATABASE_URL).map((server) => new URL(server))
  const hosts = servers.map(({ hostname, port }) => `${hostname}:${port || '5432'}`)
  return `PostgreSQL ${hosts.join(',')}${servers[0]!.pathname}`
}
