/** How far the server counts for operators; of what there may be more of, so many or an estimate beyond them is said. */
export const COUNTED_TO = {
  /** Alerts, deliveries and mails that wait, of each kind. */
  waiting: 10_000,
  /** Accounts that a search finds. */
  found: 1_000,
  /** Rows of a whole table. */
  all: 100_000,
} as const
