import type { FastifyBaseLogger } from 'fastify'
import type { Registry } from 'prom-client'
import type { IdentityProvider } from './adapters/identity-provider/provider'
import type { Payments } from './adapters/payments/payments'
import type { Database } from './db/open'
import type { Env } from './env'
import type { JobsReport } from './jobs/periodic'
import type { Market } from './services/market/market'
import type { PolicyShelf } from './services/policies/policies'
import type { Sandbox } from './services/sandbox/sandbox'
import type { Vapid } from './vapid'

/** What the app is built from; tests pass a database, a market and a clock of their own. */
export interface AppParts {
  readonly env: Env
  readonly database: Database
  readonly market: Market
  readonly policies: PolicyShelf
  /** Where people sign in who have no password here; null: nowhere. */
  readonly google: IdentityProvider | null
  /** Where Premium is paid for; null: nowhere. */
  readonly payments: Payments | null
  /** What stands in for the outside world, with pages of its own; null: nothing does. */
  readonly sandbox: Sandbox | null
  /** Signs what goes to push services. */
  readonly vapid: Vapid
  /** Signs access tokens. */
  readonly tokenKey: Uint8Array
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Without one, nothing is logged. */
  readonly logger?: FastifyBaseLogger
  /** Folder with the built client; without one, the API alone is served. */
  readonly client?: string | null
  /** What this process measures beside its requests; /metrics shows it too. */
  readonly metrics?: Registry
  /** How the periodic jobs fare, for /readyz; without one, this process knows of none. */
  readonly jobs?: () => Promise<JobsReport>
}
