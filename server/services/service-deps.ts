import type { FastifyBaseLogger } from 'fastify'
import type { IdentityProvider } from '../adapters/identity-provider'
import type { Payments } from '../adapters/payments/payments'
import type { Database } from '../db/open'
import type { Env } from '../env'

/** Parts of the process below every service; a service picks its own of them, and names the services that it needs by itself. */
export interface ServiceDeps {
  readonly env: Env
  readonly database: Database
  /** The identity provider of users without a password; null: there is none. */
  readonly google: IdentityProvider | null
  /** The payment provider; null: Premium is not sold. */
  readonly payments: Payments | null
  /** Signs access tokens. */
  readonly tokenKey: Uint8Array
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Without one, nothing is logged. */
  readonly logger?: FastifyBaseLogger | undefined
}
