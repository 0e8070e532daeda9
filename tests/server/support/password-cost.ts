import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import type * as Library from '@node-rs/argon2'

/*
 * Setup file of the layers that run the server: passwords are hashed at the least cost that argon2id takes. A server's hash
 * costs 17 ms of processor time on purpose, and these tests make thousands of them for other reasons.
 */

type Argon2 = { -readonly [Name in 'hash' | 'verify']: (typeof Library)[Name] }

const LEAST = { memoryCost: 8, timeCost: 1, parallelism: 1 }
/** The module that the server requires. */
const library = createRequire(import.meta.url)('@node-rs/argon2') as Argon2
const { hash, verify } = library
let isReal = false

/** Hashes at the server's own cost as long as `work` lasts: for tests of that cost. */
export async function atRealCost<T>(work: () => Promise<T>): Promise<T> {
  isReal = true
  try {
    return await work()
  } finally {
    isReal = false
  }
}

const nobodys = await hash(randomUUID(), LEAST)
library.hash = (password, options, signal) => hash(password, isReal ? options : { ...options, ...LEAST }, signal)
library.verify = (hashed, ...rest) => verify(!isReal && hashed === NOBODYS ? nobodys : hashed, ...rest)

// After the library was changed: the server's module takes its functions when it is first imported.
const { NOBODYS } = await import('../../../server/services/accounts/password')
