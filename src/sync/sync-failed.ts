/** A sync of which a part failed. The other parts go on, and the failed one is tried again: that is due, too. */
export class SyncFailed extends Error {
  /** Milliseconds at which something is due next. */
  readonly nextDueAt: number
  /** The part's own error. */
  override readonly cause: unknown

  constructor(cause: unknown, nextDueAt: number) {
    super(cause instanceof Error ? cause.message : String(cause))
    this.name = cause instanceof Error ? cause.name : 'Error'
    this.cause = cause
    this.nextDueAt = nextDueAt
  }
}
