import type * as Library from '@node-rs/argon2'
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { passwordHashQueue } from './password-hash-queue'

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
