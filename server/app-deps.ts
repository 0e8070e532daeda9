import type { Registry } from 'prom-client'
import type { JobsReport } from './jobs/periodic'
import type { ChannelSender } from './services/channels/send'
import type { Live } from './services/live/live'
import type { Market } from './services/market/market'
import type { PolicyStore } from './services/policies/policies'
import type { Sandbox } from './services/sandbox/sandbox'
import type { ServiceDeps } from './services/service-deps'
import type { Vapid } from './vapid'

/** The app is built from these; tests pass a database, a market and a clock of their own. */
export interface AppDeps extends ServiceDeps {
  readonly market: Market
  readonly policies: PolicyStore
  /** The open streams of this process. */
  readonly live: Live
  /** Stands in for the outside world, with pages of its own; null: nothing does. */
  readonly sandbox: Sandbox | null
  /** Signs what goes to push services. */
  readonly vapid: Vapid
  /** Sends tests to webhooks and chats. */
  readonly ways: ChannelSender
  /** Folder with the built client; without one, the API alone is served. */
  readonly client?: string | null
  /** Figures of this process beside its requests; /metrics shows them too. */
  readonly metrics?: Registry
  /** True once this process is on its way to its end: it is not ready any more, and keeps no connection open. */
  readonly isDraining?: () => boolean
  /** How the periodic jobs fare, for /readyz; without one, this process knows of none. */
  readonly jobs?: () => Promise<JobsReport>
}
