import type { BacktestChoices } from '../domain/backtest-choices'
import type { Checkpoint } from '../contract/checkpoint'
import type { Coin, MarketSource } from '../contract/market'
import type { Config, Policies } from '../contract/settings'
import type { AlertSettings, Delivery, PushSubscriptionBody } from '../contract/alerts'
import type { User } from '../contract/session'
import type { Widget } from '../contract/widget'
import type { StoredAlertFacts } from '../domain/alert-notification'
import type { Granularity } from '../domain/granularity'
import type { CoinId, OpId, OwnerId, WidgetId } from '../domain/ids'
import type { PairOrder } from '../domain/pair-order'
import type { Period } from '../domain/chart-periods'
import type { TierLimits } from '../domain/tier-limits'
import type { OutboxEntry } from './outbox-entry'
import type { StreamState } from './stream-state'
import type { SignIn } from './sign-in-rows'

/** The server's latest row of a widget; its checkpoints have a table of their own. */
export type WidgetRow = Omit<Widget, 'checkpoints'> & {
  readonly owner: OwnerId
  /** The server's list came back without this pair, which nobody has removed; see `keepLost`. */
  readonly lost?: true
}
export type CheckpointRow = Checkpoint & { readonly owner: OwnerId }

/** The current session. There is exactly one, key `current`. */
export interface SessionRow {
  readonly key: 'current'
  readonly owner: OwnerId
  /** Null for guests, and for a user whose session the server has ended: their data waits for their choice. */
  readonly tokens: {
    readonly access: string
    readonly refresh: string
    /** Name of the attempt to refresh them, stored before it is sent; absent: none has been made. */
    readonly attempt?: string
  } | null
  readonly user: User | null
  /** The guest identity of this browser; comes back at logout. */
  readonly anonymous_id: OwnerId
}

/** How far the sync of one owner has come. */
export interface OwnerRow {
  readonly owner: OwnerId
  /** Raised whenever a server answer is applied; a pull that began under another value is thrown away. */
  readonly applied_rev: number
  /** Milliseconds of the last pull that was kept; null: never. */
  readonly pulled_at: number | null
  /** Whether the account was known as premium when that pull was kept. Absent in rows of earlier versions. */
  readonly pulled_as_premium?: boolean
  /** True after a user's 401 that no refresh can mend, until the next login of that user. */
  readonly paused: boolean
  /** The next sync pulls regardless of spacing: the server refused a change, or named another tier. */
  readonly needs_pull: boolean
  /**
   * The server's revision of the rows held here, moved on by pulls and by the answers to this device's own changes; absent
   * or null: unknown, such as with a server of an earlier version.
   */
  readonly list_revision?: number | null
  /** An answer to a change named a revision before the one held: the server was restored from a backup. */
  readonly went_back?: boolean
  /** Revisions before and after changes of this device that were answered ahead of an earlier one. */
  readonly list_steps?: readonly ListStep[]
  /** The revision that the stream named last; null: it has been pulled since. A pull is due while it is not the one held. */
  readonly told_revision?: number | null
  /** Milliseconds of the last pull that was kept and brought rows, not "unchanged"; null: never. */
  readonly whole_pull_at?: number | null
  /** The next sync loads the account: a limit refused a change, or the stream named another revision of the account. */
  readonly needs_account_refresh?: boolean
  /** The revision of the account that the stream named last, and the one that was named before the account was last loaded. */
  readonly told_account?: number
  readonly held_account?: number
  /** Milliseconds at which a page of the payment provider was last opened. Absent in rows of earlier versions. */
  readonly provider_visit?: number
  /** Pairs whose removal was sent and then discarded: the server may have done it. */
  readonly given_up?: readonly string[]
  /** The last pull of the owner's crossings, or a guest's first pull without any; absent or null: never. */
  readonly alerts_pull?: AlertsPull | null
  /** The user's answer about the pairs of this browser's guest, until the user leaves; absent or null: none yet. */
  readonly guest_asked?: {
    /** The pairs that the question was about, see `guestPairId`. */
    readonly pairs: readonly string[]
    /** The tier's limit of pairs when the user took them along: a higher one raises the question again; null: "Not now". */
    readonly max_widgets: number | null
  } | null
  /** The user has answered, on this device, whether thresholds without a margin get one. */
  readonly margins_answered?: true
  /** The owner's alerts beside those of thresholds, as the server said last; absent: it has not said. */
  readonly alert_settings?: AlertSettings
  /** The offer to be alerted of extremes: the page's start at which there were pairs first, or its answer; absent: not yet. */
  readonly extremes_offer?: number | 'answered'
  /** The answer was given with the form that made the account, before the pairs could be counted: they come along. */
  readonly brings_guest?: boolean
}

/** The server's revisions of an owner's list before and after one change. */
export type ListStep = readonly [before: number, after: number]

export interface AlertsPull {
  /** The server's time of that answer (ISO 8601): what fired or came back since is asked for next. */
  readonly as_of: string
  /** Flags and epochs in the list of widgets at that time; while they are equal, nothing has fired or come back. */
  readonly epochs: string
  /** Milliseconds by which this device's clock was ahead then: with another clock, the rows' times are others. */
  readonly ahead: number
  /** Milliseconds, of this device; null: nothing was asked for, since the list showed that a guest had none. */
  readonly at: number | null
}

/** temp id → server id, until its owner logs out or nothing has used it for 30 days. */
export interface IdRow {
  readonly temp: string
  readonly real: string
  /** Absent in rows of the first version. */
  readonly owner?: OwnerId
  /** Daily looks that have found it in no row and no entry; absent: it is in one, or was not looked for. */
  readonly unused_looks?: number
}

export interface Price {
  readonly usd: number
  /** Milliseconds: the `provider_time` of the first poll that had this price. */
  readonly first_seen_at: number
  /** Milliseconds of this device's clock: when the provider says the price was true, by the newest poll that had it. */
  readonly provider_time: number
  /** Id of the exchange whose ticker gave the price, see `EXCHANGES`; absent: the provider. */
  readonly via?: string
  /**
   * Milliseconds of the server's clock, as the answer said: an answer as of an earlier time does not replace this price.
   * Absent: none said.
   */
  readonly as_of?: number
}
/** A point of the tick buffer; milliseconds and USD. */
export interface Tick {
  readonly at: number
  readonly usd: number
}
/** All latest prices in one record (key `usd`): fifty cards learn of a poll from one read. */
export interface PricesRow {
  readonly key: 'usd'
  readonly source: MarketSource
  readonly prices: Readonly<Record<CoinId, Price>>
  /** Milliseconds of the last successful poll. */
  readonly polled_at: number
  /** Each coin's newest tick, so that most prices are stored without reading the buffer; absent: not known. */
  readonly last_ticks?: Readonly<Record<CoinId, Tick>>
}

/** The daily closes of many coins, in one record (key `usd`). */
export interface DailyClosesRow {
  readonly key: 'usd'
  readonly source: MarketSource
  /** In the wire format, see src/domain/daily-matrix.ts. */
  readonly matrix: ArrayBuffer
  readonly etag: string | null
  /** Number of the last UTC day that it holds, since 1970. */
  readonly last_day: number
  /** Milliseconds of the last answer, "unchanged" included. */
  readonly fetched_at: number
  /** Coins of which it has enough; absent in rows of earlier versions. */
  readonly known?: readonly CoinId[]
  /** Own coins that are not among them, and when that was first seen, milliseconds; absent: nothing was lacking yet. */
  readonly lacking?: { readonly coins: string; readonly since: number } | undefined
}

/** One hour of a coin's ticks, so that a poll rewrites little; times ascending, columns of equal length. */
export interface TickChunkRow {
  readonly coin_id: CoinId
  /** Start of the hour, milliseconds. */
  readonly hour: number
  readonly times: Float64Array
  readonly prices: Float64Array
}

/** One level of a coin's history; times ascending in milliseconds, prices in USD, columns of equal length. */
export interface HistoryRow {
  /** `${coinId}:${granularity}` */
  readonly id: string
  readonly coin_id: CoinId
  readonly granularity: Granularity
  readonly source: MarketSource
  readonly times: Float64Array
  readonly prices: Float64Array
  /** Up to this time (exclusive, milliseconds) the points are the server's; later ones were aggregated here. */
  readonly server_until: number
  /** Milliseconds of the last answer of the server that was merged in. */
  readonly fetch_timestamp: number
}

/** When a coin's history was last asked for, by period. */
export interface HistoryFetchRow {
  readonly coin_id: CoinId
  readonly period: Period
  /** Milliseconds. */
  readonly attempted_at: number
  /** Milliseconds of the last answer; null: none yet. */
  readonly fetched_at: number | null
  readonly etag: string | null
  /** Milliseconds: when the server refused, such as for a coin that it no longer lists; absent or null: the last answer was none. */
  readonly refused_at?: number | null
}

/** Topics that the engine could not sync although the server, or a proxy in its place, answered. */
export type Topic = 'settings' | 'coins' | 'prices' | 'widgets' | 'alerts' | 'push' | 'daily_closes'

export interface StoredDelivery extends Omit<Delivery, 'at'> {
  readonly at: number | null
}

/**
 * An alert that fired, as this device learned of it. The event id is its key: only the context that inserts the row
 * announces the alert.
 */
export interface AlertRow extends StoredAlertFacts {
  /** See `alertEventId`. */
  readonly event_id: string
  readonly owner: OwnerId
  readonly widget_id: WidgetId
  readonly coin_a_id: CoinId
  readonly coin_b_id: CoinId
  /** Its first source here: the open app's own check, a push, or the server's list of crossings. */
  readonly by: 'app' | 'push' | 'sync'
  /** The server's time of the crossing (ISO 8601); absent: not from the server, or stored by an earlier version. */
  readonly crossed_at?: string
  /** It was no longer fresh when this device learned of it, or is held: nothing here has announced it. */
  readonly quiet?: true
  /** Milliseconds: the end of the quiet hours it fired in; null: it fired in a pause or a snooze; absent: neither. */
  readonly held_until?: number | null
  /** As the server last said; absent: not known. `at` is milliseconds. */
  readonly deliveries?: readonly StoredDelivery[]
  /** Why it was not sent; absent: it was, or this is not known. */
  readonly not_sent?: string
  /** Whether a page has shown it as a toast, or need not any more. */
  readonly toasted: boolean
  /** Milliseconds at which the user saw it; null: not yet, it counts in the badge. */
  readonly seen_at: number | null
  /** The user has put off re-arming the side, and is reminded on the Alerts page. */
  readonly rearm_later: boolean
}

/** Single records that are replaced as a whole. */
export interface MetaRows {
  readonly coins: { readonly coins: readonly Coin[]; readonly fetched_at: number; readonly etag: string | null }
  readonly tier_limits: { readonly limits: TierLimits; readonly fetched_at: number }
  readonly config: { readonly config: Config; readonly fetched_at: number }
  readonly policies: { readonly policies: Policies; readonly fetched_at: number }
  /** The texts as they were last loaded, so that they can be read without a network. */
  readonly policy_texts: Readonly<Partial<Record<keyof Policies, { readonly version: string; readonly text: string }>>>
  /** Refresh tokens of sessions that were left here and that the server has yet to revoke. */
  readonly revocations: readonly string[]
  /** Failed attempts to revoke them, and when the next is due (ms); absent: none has failed. */
  readonly revocation_tries: { readonly failures: number; readonly not_before: number }
  /** Names this browser to the server at sign-ins, to whichever account: it stays over logouts (contract/session). */
  readonly device_token: string
  /** Sign-ins with Google that this browser has begun, by their `state` (RFC 6749, 10.12). */
  readonly sign_ins: Readonly<Record<string, SignIn>>
  /**
   * The server's answers to this browser's registrations, with their times (ms), by the address in small letters: with
   * the secret, the link of the mail verifies the address by itself.
   */
  readonly registrations: Readonly<
    Record<
      string,
      {
        readonly secret: string
        readonly at: number
        /** Daily looks that have found it here, see `forgetOldRegistrations`; absent: none yet. */
        readonly looks?: number
      }
    >
  >
  /** Feedback that was typed and not sent, by who typed it. */
  readonly feedback_drafts: Readonly<Record<OwnerId, string>>
  /** The last message sent and not answered, with its Idempotency-Key, by owner. */
  readonly feedback_unanswered: Readonly<Record<OwnerId, { readonly message: string; readonly key: OpId }>>
  /** How this device is reached by push, as far as server and user have said. */
  readonly push: {
    /** The subscription that the server last accepted, and its owner; null: none. */
    readonly registered: {
      readonly owner: OwnerId
      readonly subscription: PushSubscriptionBody
      /** Kinds of alerts, besides those of thresholds, that the server was told can be shown here; absent: none. */
      readonly kinds?: readonly string[] | undefined
      /** Names this browser to the server when it confirms what it showed; absent: the server wants no receipts. */
      readonly receipt?: string | undefined
      /** The server's id of it; absent: an earlier version registered it. */
      readonly id?: string | undefined
      /** True: the server may have dropped it with a session that ended; register again. Absent in earlier versions. */
      readonly outdated?: true
    } | null
    /** The user wants none here, whatever the browser permits. */
    readonly off: boolean
    /** Endpoints that are still to be unregistered, and their owners. */
    readonly stale: readonly { readonly owner: OwnerId; readonly endpoint: string }[]
    /** A registration that the server did not accept: tried again `spacing` ms after `at`, or sooner at a start. */
    readonly deferred: {
      readonly owner: OwnerId
      readonly endpoint: string
      readonly at: number
      readonly spacing: number
    } | null
  }
  /** Milliseconds by which this device's clock is ahead of the server's; negative: behind it. */
  readonly server_clock: { readonly ahead: number }
  /** Whether the superuser panel is open on this device; absent: never chosen. */
  readonly operator_panel: { readonly open: boolean }
  /** How this device shows the pairs; absent: as cards, with keyboard shortcuts. */
  readonly dashboard: {
    readonly view: 'cards' | 'list'
    /** Of the list. */
    readonly order: PairOrder
    /** Single keys act as shortcuts. */
    readonly keys: boolean
  }
  /** How many of the owner's pairs stood at an extreme when the app last looked, for the app badge. */
  readonly extremes: { readonly owner: OwnerId; readonly count: number }
  /** The engine's last success and failure, for the sync line and the status page. */
  readonly sync_state: {
    readonly last_success_at: number | null
    readonly last_failure_at: number | null
    /** The cause, for people; null after a success and while merely nothing answers. */
    readonly problem: string | null
    readonly problems: Readonly<Partial<Record<Topic, string>>>
    /** Topics whose last request had no answer at all; absent in rows of earlier versions. */
    readonly unanswered?: Readonly<Partial<Record<Topic, true>>>
    /** Milliseconds since when no request has had any answer; null: the last one had. */
    readonly unreachable_since: number | null
  }
  /** Lines and period that the user of this device last chose for a chart; null: no period was ever chosen. */
  readonly chart_choices: {
    readonly average: boolean
    readonly bands: boolean
    readonly period: Period | null
    /** Absent in rows of earlier versions. */
    readonly backtest?: BacktestChoices
  }
  /** Milliseconds at which work was last begun, by its name: many tabs ask for it, one does it. */
  readonly begun: Readonly<Record<string, number>>
  /** How this browser learns of news; absent: no visible tab has asked for a stream yet. */
  readonly stream: StreamState
  /** By record, the version that the stream named last, and the one that was named before the record was last loaded. */
  readonly versions: Readonly<
    Partial<Record<'config' | 'policies' | 'closes', { readonly told: string; readonly held: string | null }>>
  >
  /** The last attempt to fetch prices. */
  readonly price_poll: {
    readonly attempted_at: number
    /** The server's Retry-After, milliseconds since 1970; 0: none. */
    readonly not_before: number
    readonly asked: readonly CoinId[]
  }
}
export type MetaKey = keyof MetaRows
export interface MetaRow<K extends MetaKey = MetaKey> {
  readonly key: K
  readonly value: MetaRows[K]
}

/** A message the engine leaves for the user; shown once as a toast. */
export interface NoticeRow {
  readonly id?: number
  readonly owner: OwnerId
  readonly kind: 'info' | 'success' | 'error'
  readonly message: string
  readonly at: number
}

/** Rows of all owners, as one moment of the local database has them: other owners have left few on this device. */
export interface BoardRows {
  readonly session: SessionRow | undefined
  readonly owners: readonly OwnerRow[]
  readonly widgets: readonly WidgetRow[]
  readonly checkpoints: readonly CheckpointRow[]
  /** By seq. */
  readonly outbox: readonly OutboxEntry[]
  readonly ids: readonly IdRow[]
  readonly tiers: MetaRows['tier_limits'] | undefined
  readonly coins: MetaRows['coins'] | undefined
}
