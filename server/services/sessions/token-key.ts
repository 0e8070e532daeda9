import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Env } from '../../env'
import { keptFile } from '../kept-file'

/** As many characters as JWT_SECRET must have. */
const SHORTEST = 32
export const JWT_SECRET_FILE = 'jwt-secret'

/**
 * What access tokens are signed with: JWT_SECRET, or outside production a secret that is made once and kept in DATA_DIR.
 * @throws Error when the kept secret cannot be read or is none
 */
export function accessTokenKey({ JWT_SECRET, DATA_DIR }: Pick<Env, 'JWT_SECRET' | 'DATA_DIR'>): Uint8Array {
  return new TextEncoder().encode(JWT_SECRET ?? keptSecret(DATA_DIR))
}

function keptSecret(folder: string): string {
  const kept = keptFile(folder, JWT_SECRET_FILE, () => randomBytes(48).toString('base64url'))
  if (kept.length < SHORTEST) throw new Error(`${join(folder, JWT_SECRET_FILE)} does not hold a secret. Remove it, and a new one is made.`) // prettier-ignore
  return kept
}
