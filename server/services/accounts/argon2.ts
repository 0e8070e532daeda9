import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type * as Library from '@node-rs/argon2'

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
    throw new Error('Passwords cannot be hashed: @node-rs/argon2 has no compiled part for this platform. Install with optional packages, or build on this platform.', { cause: error }) // prettier-ignore
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

export const { hash, verify } = load()
