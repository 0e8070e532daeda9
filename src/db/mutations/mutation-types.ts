import type { MutationKind, OutboxEntry } from '../outbox-entry'
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
import { alertSettingsSave } from './alert-mutations'
import type { MutationType } from './mutation-type'
import { ruleCreate, ruleDelete, ruleUpdate } from './rule-mutations'
import { layoutReorder, widgetCreate, widgetDelete, widgetUpdate } from './widget-mutations'

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
  'rule.create@1': ruleCreate,
  'rule.update@1': ruleUpdate,
  'rule.delete@1': ruleDelete,
  'alert-settings.save@1': alertSettingsSave,
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

/** The user may still take it back or go on with it, so it is not to be sent yet: held for its Undo, or an order of pairs. */
export const isHeld = (entry: OutboxEntry): boolean => isUnsent(entry) && entry.not_before > 0
