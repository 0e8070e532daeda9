import type { Widget } from '../../../src/contract/widget'
import type { OwnerId } from '../../../src/domain/ids'

/** A pull that began when `revision` was the applied one, of a server without revisions of its own. */
export const begunPull = (owner: OwnerId, revision: number) => ({ owner, revision, told: null })

export const pulledRows = (widgets: readonly Widget[]) => ({ widgets, listRevision: null })
