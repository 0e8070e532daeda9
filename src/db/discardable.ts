import { isUnsent } from './kinds/registry'
import type { Entry } from './outbox-entry'

/** A create whose answer is still owed: it can be given up by removing what it may have made. */
export const isOwedCreate = (entry: Entry): entry is Entry<'widget.create@1'> =>
  entry.kind === 'widget.create@1' && entry.state === 'waiting' && entry.attempts > 0

/** Whether the user can give a change up; see `discardChange` for how. */
export const canDiscard = (entry: Entry): boolean => entry.state === 'failed' || isUnsent(entry) || isOwedCreate(entry)
