import { setTimeout as delay } from 'node:timers/promises'
import { isOutOfReach, wasAnswered } from './out-of-reach'
import { placeOf } from './place'
import { findServer, faultOf } from './servers'

/** A server that starts together with PostgreSQL waits for it so long; an operator at a terminal does not. Milliseconds. */
export const SERVER_WAITS = { start: 30_000, command: 3_000 } as const

/** From one attempt to the next. Milliseconds. */
const PAUSE = 500

/** Why sockets fail that may succeed later; TLS has other codes, and its faults stay. */
const OF_THE_NETWORK = /^E(?!RR_)/

const MAY_PASS = /^(timeout expired|Connection terminated|no server takes changes|\S+ takes no changes)/

/**
 * Waits until the server of DATABASE_URL takes connections, and says once what it waits for.
 * @param longest milliseconds
 * @returns the URL of the server to use, of several the one that takes changes
 * @throws Error with a sentence that names the variable and the way out
 */
export async function reachServer(
  url: string,
  longest: number = SERVER_WAITS.command,
  tell: (sentence: string) => void = (sentence) => void process.stderr.write(`${sentence}\n`),
): Promise<string> {
  const place = placeOf({ DATABASE_URL: url, DATA_DIR: '' })
  const until = performance.now() + longest
  for (let tries = 0; ; tries++) {
    try {
      return await findServer(url)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      if (!mayPass(error) || performance.now() >= until)
        throw new Error(`DATABASE_URL: ${wayOut(place, error)}`, { cause: error })
      if (tries === 0) tell(`Waiting up to ${longest / 1000} s for ${place}: ${faultOf(error)}`)
    }
    await delay(PAUSE)
  }
}

function mayPass(error: Error & { readonly code?: unknown }): boolean {
  if (wasAnswered(error)) return isOutOfReach(error)
  if (error.cause instanceof Error && wasAnswered(error.cause)) return isOutOfReach(error.cause)
  const isOfNetwork = typeof error.code === 'string' && OF_THE_NETWORK.test(error.code)
  return isOfNetwork || MAY_PASS.test(error.message)
}

/** Says why a database cannot be used, and the way out. */
export function wayOut(place: string, error: Error): string {
  const reason = faultOf(error)
  const answered = [error, error.cause].find((one) => one instanceof Error && wasAnswered(one))
  const code = answered instanceof Error && wasAnswered(answered) ? answered.code : ''
  if (code === '28P01' || code === '28000')
    return `${place} does not let this user in (${reason}). Correct user and password in DATABASE_URL, or pg_hba.conf.`
  if (code === '3D000')
    return `${place} is not there (${reason}). Make the database with createdb, or correct its name.`
  if (code === '42501')
    return `This user may not make tables in ${place} (${reason}). Make the user the owner: ALTER DATABASE … OWNER TO …`
  if (reason.includes('client password must be a string'))
    return `${place} asks for a password. Write it into DATABASE_URL: postgres://user:password@host/database`
  if (mayPass(error))
    return `${place} cannot be reached (${reason}). Start it, or correct its address; without DATABASE_URL the embedded database is used.`
  return `${place} cannot be used: ${reason}`
}
