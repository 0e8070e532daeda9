import { randomBytes, randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Env } from '../../env'

/** As many characters as JWT_SECRET must have. */
const SHORTEST = 32

/**
 * What access tokens are signed with: JWT_SECRET, or outside production a secret that is made once and kept in DATA_DIR.
 * @throws Error when the kept secret cannot be read or is none
 */
export function accessTokenKey({ JWT_SECRET, DATA_DIR }: Pick<Env, 'JWT_SECRET' | 'DATA_DIR'>): Uint8Array {
  return new TextEncoder().encode(JWT_SECRET ?? keptSecret(DATA_DIR))
}

function keptSecret(folder: string): string {
  const file = join(folder, 'jwt-secret')
  const kept = read(file) ?? make(folder, file)
  if (kept.length < SHORTEST) throw new Error(`${file} does not hold a secret. Remove it, and a new one is made.`)
  return kept
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Written whole and then linked into its place, so that of several processes that start at once all get the first's. */
function make(folder: string, file: string): string {
  mkdirSync(folder, { recursive: true })
  const draft = `${file}.${randomUUID()}`
  try {
    writeFileSync(draft, randomBytes(48).toString('base64url'), { mode: 0o600, flush: true })
    try {
      linkSync(draft, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    return read(file) ?? ''
  } finally {
    rmSync(draft, { force: true })
  }
}
