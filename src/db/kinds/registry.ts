import type { Entry, Kind } from '../outbox-entry'
import { checkpointAnonymousCreate } from './checkpoint-anonymous-create'
import { checkpointAnonymousDelete } from './checkpoint-anonymous-delete'
import { checkpointCreate } from './checkpoint-create'
import { checkpointDelete } from './checkpoint-delete'
import { checkpointDeleteMany } from './checkpoint-delete-many'
import { checkpointReorder } from './checkpoint-reorder'
import { checkpointSetDefault } from './checkpoint-set-default'
import { checkpointUpdate } from './checkpoint-update'
import type { KindRules } from './kind'
import { layoutReorder } from './layout-reorder'
import { widgetCreate } from './widget-create'
import { widgetDelete } from './widget-delete'
import { widgetUpdate } from './widget-update'

const kinds: { readonly [K in Kind]: KindRules<K> } = {
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

/** The rules of an entry's kind, as they apply to that entry. */
export const rulesOf = (entry: Entry): KindRules<Kind> => kinds[entry.kind] as unknown as KindRules<Kind>

/** False for an entry that another version of the app wrote: it is kept and shown, but not touched. */
export const isKnown = (entry: Entry): boolean => Object.hasOwn(kinds, entry.kind)

/** Still to be answered: it shows on the screen and it blocks what must come after it. */
export const isLive = (entry: Entry): boolean => entry.state !== 'failed' && isKnown(entry)

/** The server cannot have seen it, so it may still be changed. Sent once, it may have arrived, and is only followed. */
export const isUnsent = (entry: Entry): boolean => entry.state === 'waiting' && entry.attempts === 0 && isKnown(entry)
