import type { CreateCheckpointBody, UpdateCheckpointBody } from '../../contract/checkpoint'
import type { ReceivedErrorCode } from '../../contract/errors'
import type { CreateWidgetBody, UpdateWidgetBody } from '../../contract/widget'
import type { CheckpointId, OpId, OwnerId, WidgetId } from '../../domain/ids'
import type { Board, KnownIds } from '../board'
import type { DurableRoute } from '../call'
import type { LocalDatabase } from '../database'
import {
  checkpointAnonymousCreate,
  checkpointAnonymousDelete,
  checkpointCreate,
  checkpointDelete,
  checkpointDeleteMany,
  checkpointReorder,
  checkpointSetDefault,
  checkpointUpdate,
} from './checkpoint-mutations'
import { layoutReorder, widgetCreate, widgetDelete, widgetUpdate } from './widget-mutations'

export interface OfWidget {
  readonly widget: WidgetId
}
export interface OfCheckpoint extends OfWidget {
  readonly checkpoint: CheckpointId
}

/** The payloads of mutations, by kind and version. The ids in payloads may be temporary ones. */
export interface Payloads {
  'widget.create@1': OfWidget & { readonly body: CreateWidgetBody }
  'widget.update@1': OfWidget & { readonly body: UpdateWidgetBody }
  'widget.delete@1': OfWidget
  'layout.reorder@1': {
    readonly ordered_ids: readonly WidgetId[]
    /** An active and an inactive pair have changed places. Absent in entries of earlier versions. */
    readonly exchange?: true
  }
  'checkpoint.anonymous-create@1': OfCheckpoint & { readonly body: CreateCheckpointBody }
  'checkpoint.anonymous-delete@1': OfCheckpoint
  'checkpoint.create@1': OfCheckpoint & { readonly body: CreateCheckpointBody }
  'checkpoint.update@1': OfCheckpoint & { readonly body: UpdateCheckpointBody }
  'checkpoint.delete@1': OfCheckpoint
  'checkpoint.delete-many@1': OfWidget & { readonly checkpoint_ids: readonly CheckpointId[] }
  'checkpoint.reorder@1': OfWidget & { readonly ordered_ids: readonly CheckpointId[] }
  'checkpoint.set-default@1': OfCheckpoint
}
export type MutationKind = keyof Payloads

export interface EntryError {
  readonly status: number
  readonly error_code: ReceivedErrorCode | null
  /** The sentence the user sees. */
  readonly message: string
}

/** A guest's pair on its way to the account of a user who has logged in since; decision 0123. */
export interface BroughtPair {
  readonly guest: OwnerId
  /** Names the pair at the guest, see `guestPairId`. */
  readonly pair: string
  /** Fingerprint of the guest's decisions about the pair when it was sent; see `printOf`. */
  readonly print: string
  /** Idempotency-Key of the deletion at the guest that follows. */
  readonly removal: OpId
}

interface EntryBase {
  /** Auto-increment: the order of what the user did. */
  readonly seq?: number
  /** The Idempotency-Key. */
  readonly op_id: OpId
  readonly owner: OwnerId
  /** Entries that stand or fall together. */
  readonly group: string | null
  readonly created_at: number
  /** Raised in the transaction that leases: 0 means that the server cannot have seen it. */
  readonly attempts: number
  /** Failures in a row, for the backoff. */
  readonly failures: number
  /** Milliseconds; 0: at once. */
  readonly not_before: number
  readonly state: 'waiting' | 'leased' | 'failed'
  /** A lease's own token; an answer counts only while its lease is still its own. */
  readonly lease: string | null
  /** Milliseconds of the last attempt's begin; stays when the lease ends. */
  readonly leased_since: number | null
  /** Milliseconds; refused changes are kept for 7 days. */
  readonly failed_at: number | null
  readonly last_error: EntryError | null
  /** A create's NOT_FOUND answers in a row since its first attempt: nothing can have been made by then. */
  readonly not_found?: number
  /** Answers without a verdict, and the owner's `applied_rev` at the first of them; see `stalledBy`. */
  readonly stalled?: { readonly answers: number; readonly since: number }
  /** The server does other entries but not this one: entries that merely keep order with it go past. */
  readonly passable?: boolean
  /** The user's name for the thing, such as `BTC/ETH`, for messages. */
  readonly label: string
  /** Beginning of the refusal's sentence, where the kind alone does not tell. */
  readonly failure?: string
  /** The sentence after the server has done it; the last of a group has it. */
  readonly success?: string
  /** Success message of a done entry of the same group that has another one; shown if this entry is refused. */
  readonly done_before?: string
  /** On all entries of a brought pair's group: the guest's copy goes with the last of them that the server has done. */
  readonly brings?: BroughtPair
}
export type OutboxEntry<K extends MutationKind = MutationKind> = {
  [P in K]: EntryBase & { readonly kind: P; readonly payload: Payloads[P] }
}[K]

/** How a mutation goes over the wire: a route of the contract, its parameters and its body. */
export interface WireRequest {
  readonly route: DurableRoute
  readonly params: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Decides which entries wait for which; see src/sync/outbox-lease.ts. */
export type ConflictClass = 'create' | 'delete' | 'reorder' | 'change'

/** `rows` is false for an owner who has signed out: of an accepted answer only ids are stored then. */
export interface StoreContext {
  readonly db: LocalDatabase
  readonly ids: KnownIds
  readonly rows: boolean
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
  /** Writes the server's answer; runs inside the transaction that deletes the entry. */
  readonly storeAnswer: (context: StoreContext, entry: OutboxEntry<K>, answer: unknown) => Promise<void>
  /** Such as "Add BTC/ETH". */
  readonly title: (label: string) => string
  /** The sentence that the user reads when the server refuses. */
  readonly refusal: (entry: OutboxEntry<K>, error: Pick<EntryError, 'error_code' | 'message'>) => string
  /** Codes that mean "the thing is gone already", which is the state that a deletion wanted. */
  readonly doneWhen: readonly ReceivedErrorCode[]
  /** The sentence that the user reads after one of `doneWhen`, or when the created thing has been removed elsewhere since. */
  readonly doneNote: ((label: string) => string) | null
}

const mutationTypes: { readonly [K in MutationKind]: MutationType<K> } = {
  'widget.create@1': widgetCreate,
  'widget.update@1': widgetUpdate,
  'widget.delete@1': widgetDelete,
  'layout.reorder@1': layoutReorder,
  'checkpoint.anonymous-create@1': checkpointAnonymousCreate,
  'checkpoint.anonymous-delete@1': checkpointAnonymousDelete,
  'checkpoint.create@1': checkpointCreate,
  'checkpoint.update@1': checkpointUpdate,
  'checkpoint.delete@1': checkpointDelete,
  'checkpoint.delete-many@1': checkpointDeleteMany,
  'checkpoint.reorder@1': checkpointReorder,
  'checkpoint.set-default@1': checkpointSetDefault,
}

/** The type of an entry's mutation; the table above leads to what it does. */
export const mutationTypeOf = <K extends MutationKind>(entry: OutboxEntry<K>): MutationType<K> =>
  mutationTypes[entry.kind]

/** False for an entry that another version of the app wrote: it is kept and shown, but not touched. */
export const isKnown = (entry: OutboxEntry): boolean => Object.hasOwn(mutationTypes, entry.kind)

/** Still to be answered: the entry shows on the screen and blocks what must come after it. */
export const isLive = (entry: OutboxEntry): boolean => entry.state !== 'failed' && isKnown(entry)

/** The server cannot have seen the entry, so it may still be changed. Sent once, it may have arrived, and is only followed. */
export const isUnsent = (entry: OutboxEntry): boolean =>
  entry.state === 'waiting' && entry.attempts === 0 && isKnown(entry)
