import { DAY } from '../../src/domain/granularity'

/** How long rows are kept, milliseconds. The privacy policy says so (server/policies). */
export const KEPT_FOR = {
  /** Guests, since they were last seen: with pairs, and without. */
  guest: 400 * DAY,
  guestWithoutPairs: 90 * DAY,
  /** A session lasts at most 180 days, so that a device in use is always known. */
  knownDevice: 400 * DAY,
  /** Used tokens of a session that has ended, since their use. An unused one is as old when it expires. */
  endedToken: 30 * DAY,
  alert: 400 * DAY,
  /** Since they ended. */
  pushDelivery: 30 * DAY,
  feedback: 365 * DAY,
  /** Which events have had their effect; Stripe sends none again after a month. */
  billingEvent: 90 * DAY,
  securityEvent: 90 * DAY,
  auditEntry: 3 * 365 * DAY,
  /** Keys of changes that are not creates. */
  operation: 90 * DAY,
} as const

/** How many rows of one owner are kept, or given to the owner. The privacy policy says so. */
export const MAX_OF_ONE_OWNER = {
  /** More browsers than anybody logs in on; the one that logged in longest ago is forgotten. */
  knownDevices: 10,
  /**
   * Used tokens of ended sessions, the first of them: a browser that refreshes all day for 30 days uses 2,880, and a thief who
   * uses more makes only later ones.
   */
  endedTokens: 10_000,
  /** Events of each kind of an account: hardly anybody signs in more often in 90 days. */
  securityEventsOfKind: 200,
  /** Keys of creates, some 2.5 MB, and as many of other changes; no user of the app comes near it. */
  operations: 10_000,
  /** Alerts that one file of an owner's data holds, some 4 MB: nothing else limits how often a threshold is crossed. */
  exportedAlerts: 10_000,
} as const
