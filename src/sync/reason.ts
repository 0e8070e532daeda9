export const SYNC_REASONS = ['start', 'command', 'online', 'visible', 'due', 'tick', 'background', 'periodic'] as const
/** Why somebody asks for a sync. */
export type SyncReason = (typeof SYNC_REASONS)[number]

export const isSyncReason = (value: unknown): value is SyncReason =>
  (SYNC_REASONS as readonly unknown[]).includes(value)
