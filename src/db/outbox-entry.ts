import type { AlertSettingsBody } from '../contract/alerts'
import type { CreateCheckpointBody, UpdateCheckpointBody } from '../contract/checkpoint'
import type { ReceivedErrorCode } from '../contract/errors'
import type { UpdateRuleBody } from '../contract/rules'
import type { CreateWidgetBody, UpdateWidgetBody } from '../contract/widget'
import type { CheckpointId, OpId, OwnerId, RuleId, WidgetId } from '../domain/ids'
import type { SetupRule } from '../domain/setup-file'

export interface OfWidget {
  readonly widget: WidgetId
}
export interface OfCheckpoint extends OfWidget {
  readonly checkpoint: CheckpointId
}

export interface OfRule extends OfWidget {
  readonly rule: RuleId
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
  'rule.create@1': OfRule & { readonly body: SetupRule }
  'rule.update@1': OfRule & { readonly body: UpdateRuleBody }
  'rule.delete@1': OfRule
  'alert-settings.save@1': { readonly body: AlertSettingsBody }
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
  /** Milliseconds at which it was refused. */
  readonly failed_at: number | null
  /** Daily looks that have found it refused, see `forgetRefused`; absent: none yet. */
  readonly failed_looks?: number
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
