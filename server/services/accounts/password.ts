import { hash, verify } from './argon2'
import { inHashingTurn } from './hashing-turns'

/** argon2id (RFC 9106), the package's default variant, at the parameters OWASP names for it: KiB, passes, lanes. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Of a password that nobody knows: who has none is verified against it, so that it takes as long as having one. */
export const NOBODYS =
  '$argon2id$v=19$m=19456,t=2,p=1$HemcP+NtAeJWNrMMSDt9iA$4FyfN33dUZgK1kNOKH3nuli1W6gzTCCZ/sJ+yXqcNz4'

/** One password, however a keyboard composes its accents. */
const normal = (password: string): string => password.normalize('NFC')

/**
 * In PHC string format, with a salt of its own.
 * @throws TooManyAttempts
 */
export const hashPassword = (password: string): Promise<string> => inHashingTurn(() => hash(normal(password), COST))

/**
 * Takes the same time whether or not there is a hash.
 * @throws TooManyAttempts
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const fits = await inHashingTurn(() => verify(passwordHash ?? NOBODYS, normal(password)))
  return fits && passwordHash !== null
}
