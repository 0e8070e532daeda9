import type { OwnerId } from '../domain/ids'
import type { LocalDatabase } from './database'

/** Dependencies of each command; clock and ids are arguments so that tests can steer them. */
export interface CommandContext {
  readonly db: LocalDatabase
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly uuid: () => string
  /** The owner that the page shows at the moment; undefined while it shows none yet. Absent where there is no page. */
  readonly shownOwner?: () => OwnerId | undefined
}

/** A command that was refused locally changed nothing; `message` is the specification's sentence. */
export type CommandResult<T = undefined> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string }
