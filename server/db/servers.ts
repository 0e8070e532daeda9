import { Client } from 'pg'
import { noteOutOfReach, wasAnswered } from './out-of-reach'

/* DATABASE_URL names one PostgreSQL server or several, of which one takes changes: node-postgres knows single ones alone. */

/** Longest time that a server gets to take a connection, and then to say whether it takes changes. Milliseconds. */
const ANSWER_LIMIT = 5_000

/** Up to the hosts, the hosts, and what follows them. */
const FORM = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^@/?#]*)(.*)$/

/** @param url such as `postgres://me:secret@a:5432,b:5433/ratios`
 * @returns a URL for each of its hosts */
export function serversOf(url: string): string[] {
  const [, start = '', hosts = '', rest = ''] = FORM.exec(url) ?? []
  return hosts.split(',').map((host) => `${start}${host}${rest}`)
}

const MODES: Readonly<Record<string, readonly (string | null)[]>> = {
  target_session_attrs: [null, 'any', 'read-write', 'primary'],
  prepare: [null, 'true', 'false'],
}

export function isDatabaseUrl(url: string): boolean {
  const servers = serversOf(url)
  return servers.every((server) => {
    if (!FORM.test(server) || !URL.canParse(server)) return false
    const { hostname, searchParams } = new URL(server)
    if (servers.length > 1 && hostname === '') return false
    return Object.entries(MODES).every(([name, values]) => values.includes(searchParams.get(name)))
  })
}

const optionOf = (url: string, name: string): string | null => new URL(serversOf(url)[0]!).searchParams.get(name)

/** False where a pooler in transaction mode stands before the server: what a session was told is not there later. */
export const keepsSessions = (url: string): boolean => optionOf(url, 'prepare') !== 'false'

/** True where a server has to say that it takes changes before it is used: a standby would refuse them. */
export const hasStandbys = (url: string): boolean =>
  serversOf(url).length > 1 || ['read-write', 'primary'].includes(optionOf(url, 'target_session_attrs') ?? '')

/** @throws Error where the server is a standby, or takes no changes for another reason */
export async function requireWrites(client: Pick<Client, 'query' | 'host' | 'port'>): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only')
  if (rows[0]?.transaction_read_only !== 'off')
    throw noteOutOfReach(new Error(`${client.host}:${client.port} takes no changes at the moment`))
}

/**
 * Connects to the servers of `url`, and finds the first that takes changes; a single one need not say so.
 * @returns the URL of that server
 * @throws Error that says of each why not
 */
export async function findServer(url: string): Promise<string> {
  const asked = serversOf(url).map((server) =>
    ask(server, hasStandbys(url)).then(
      () => ({ server, error: null }),
      (error: Error) => ({ server, error }),
    ),
  )
  const errors: Error[] = []
  for (const answer of asked) {
    const { server, error } = await answer
    if (error === null) return server
    errors.push(error)
  }
  const cause = errors.find(wasAnswered) ?? errors[0]!
  if (errors.length === 1) throw cause
  const reasons = errors.map(faultOf).join('; ')
  const refusal = new Error(`no server takes changes (${reasons})`, { cause })
  throw errors.some(wasAnswered) ? refusal : noteOutOfReach(refusal)
}

async function ask(server: string, mustWrite: boolean): Promise<void> {
  const client = new Client({
    connectionString: server,
    connectionTimeoutMillis: ANSWER_LIMIT,
    query_timeout: ANSWER_LIMIT,
  })
  // The call that failed has said it.
  client.on('error', () => undefined)
  try {
    await client.connect()
    if (mustWrite) await requireWrites(client)
  } catch (error) {
    throw noteOutOfReach(error as Error)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** An error of several addresses of one name has no message of its own. */
export const faultOf = (error: Error & { readonly code?: unknown }): string =>
  error.message === '' ? String(error.code) : error.message
