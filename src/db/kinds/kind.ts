import type { RouteName } from '../../contract/routes'
import type { ReceivedErrorCode } from '../../contract/errors'
import type { WidgetId } from '../../domain/ids'
import type { Board } from '../board'
import type { LocalDatabase } from '../database'
import type { KnownIds } from '../ids'
import type { Entry, EntryError, Kind, Payloads } from '../outbox-entry'

/** How an entry goes over the wire: a route of the contract, its parameters and its body. */
export interface WireRequest {
  readonly route: RouteName
  readonly params: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Decides what waits for what; see src/sync/blocking.ts. */
export type Lane = 'create' | 'delete' | 'reorder' | 'change'

/** Where an accepted answer is written. `rows` is false for an owner who has signed out: only ids are mapped then. */
export interface ApplyContext {
  readonly db: LocalDatabase
  readonly ids: KnownIds
  readonly rows: boolean
}

/** Everything the client has to know of one kind of entry. */
export interface KindRules<K extends Kind> {
  readonly lane: Lane
  /** The widget it concerns; entries of one widget go in order. Null: the whole layout. */
  readonly widget: (payload: Payloads[K]) => WidgetId | null
  /** The temporary id that its answer gives a real one to. */
  readonly makes: (payload: Payloads[K]) => string | null
  /** Ids without which it makes no sense; it waits until all of them are real. */
  readonly subjects: (payload: Payloads[K]) => readonly string[]
  /** Ids it merely mentions; one of them may go without harm. */
  readonly mentions: (payload: Payloads[K]) => readonly string[]
  /** The payload without a mentioned id. */
  readonly without: (payload: Payloads[K], id: string) => Payloads[K]
  /** The payload that says both, or null where a later entry of this kind must follow instead. */
  readonly absorb: (earlier: Payloads[K], later: Payloads[K]) => Payloads[K] | null
  readonly lay: (board: Board, entry: Entry<K>) => Board
  readonly request: (payload: Payloads[K], ids: KnownIds) => WireRequest
  /** Writes what the server answered; runs inside the transaction that deletes the entry. */
  readonly apply: (context: ApplyContext, entry: Entry<K>, answer: unknown) => Promise<void>
  /** Such as "Add BTC/ETH". */
  readonly title: (label: string) => string
  /** What the user reads when the server refuses it. */
  readonly refusal: (entry: Entry<K>, error: Pick<EntryError, 'error_code' | 'message'>) => string
  /** Codes that mean "the thing is gone already", which is what a deletion wanted. */
  readonly doneWhen: readonly ReceivedErrorCode[]
  /** What the user reads when one of `doneWhen` came, or a create's thing has been removed elsewhere since. */
  readonly doneNote: ((label: string) => string) | null
}
