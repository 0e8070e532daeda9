import type { LocalDatabase } from './database'

/** What every command needs; clock and ids are passed in so that tests can steer them. */
export interface CommandContext {
  readonly db: LocalDatabase
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly uuid: () => string
}

/** A command that was refused locally changed nothing; `message` is the specification's sentence. */
export type CommandResult<T = undefined> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string }
