import type { AlertSettings } from '../../contract/alerts'
import type { Checkpoint } from '../../contract/checkpoint'
import type { ReceivedErrorCode } from '../../contract/errors'
import type { Rule } from '../../contract/rules'
import type { Widget } from '../../contract/widget'
import type { WidgetId } from '../../domain/ids'
import type { Board, KnownIds } from '../board'
import type { DurableRoute } from '../call'
import type { EntryError, MutationKind, OutboxEntry, Payloads } from '../outbox-entry'

/** How a mutation goes over the wire: a route of the contract, its parameters and its body. */
export interface WireRequest {
  readonly route: DurableRoute
  readonly params: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Decides which entries wait for which; see src/sync/outbox-lease.ts. */
export type ConflictClass = 'create' | 'delete' | 'reorder' | 'change'

/** The local rows after an answer, which `applyOutcome` stores. All that is absent stays as it is. */
export interface AnswerRows {
  /** The server's id of the thing that the mutation has created. */
  readonly map?: string
  /** A widget of the answer. */
  readonly put?: Widget
  /** The mutation's widget is gone. */
  readonly drop?: true
  /** All widgets in the server's order. */
  readonly order?: readonly Widget[]
  /** The checkpoints of the mutation's widget, from those that the server said before. */
  readonly list?: (before: readonly Checkpoint[]) => readonly Checkpoint[]
  /** The rules of the mutation's widget, from those that the server said before. */
  readonly rules?: (before: readonly Rule[]) => readonly Rule[]
  /** The owner's alerts beside those of thresholds. */
  readonly settings?: AlertSettings
}

/** The client's rules for one type of mutation. */
export interface MutationType<K extends MutationKind> {
  readonly conflictClass: ConflictClass
  /** The widget that the mutation concerns; mutations of one widget go in order. Null: the whole layout. */
  readonly widget: (payload: Payloads[K]) => WidgetId | null
  /** The temporary id for which the answer brings the server's id. */
  readonly createsId: (payload: Payloads[K]) => string | null
  /** Ids without which the mutation makes no sense; it waits until all of them are the server's. */
  readonly requires: (payload: Payloads[K]) => readonly string[]
  /** Ids that the mutation merely names; one of them may go without harm. */
  readonly references: (payload: Payloads[K]) => readonly string[]
  readonly withoutReference: (payload: Payloads[K], id: string) => Payloads[K]
  /** One payload for both mutations, or null where a later mutation of this kind must follow instead. */
  readonly mergeWith: (earlier: Payloads[K], later: Payloads[K]) => Payloads[K] | null
  /** The board as it shows while the server has not answered. */
  readonly applyTo: (board: Board, entry: OutboxEntry<K>) => Board
  readonly request: (payload: Payloads[K], ids: KnownIds) => WireRequest
  /** @param answer fits the schema of the route; null where there is no body, such as a replay's whose row is gone by now */
  readonly answerRows: (payload: Payloads[K], answer: unknown, ids: KnownIds) => AnswerRows
  /** Such as "Add BTC/ETH". */
  readonly title: (label: string) => string
  /** The sentence that the user reads when the server refuses. */
  readonly refusal: (entry: OutboxEntry<K>, error: Pick<EntryError, 'error_code' | 'message'>) => string
  /** Codes that mean "the thing is gone already", which is the state that a deletion wanted. */
  readonly doneWhen: readonly ReceivedErrorCode[]
  /** The sentence that the user reads after one of `doneWhen`, or when the created thing has been removed elsewhere since. */
  readonly doneNote: ((label: string) => string) | null
}
