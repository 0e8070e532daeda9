/** Oldest first: a service worker and a page of different versions understand only the reasons that both have. */
export const SYNC_REASONS = [
  'start',
  /** The user has made a change, asks for a retry, or opens a dialog whose data may be due. */
  'command',
  'online',
  'visible',
  'due',
  'tick',
  'background',
  'periodic',
] as const
/** Why a sync is requested. */
export type SyncReason = (typeof SYNC_REASONS)[number]

export const isSyncReason = (value: unknown): value is SyncReason =>
  (SYNC_REASONS as readonly unknown[]).includes(value)
