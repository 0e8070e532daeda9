/** "Tell me when it moves 5 % in a day", as it is made. */
export const MOVE = {
  kind: 'move',
  level: 5,
  window: '24h',
  margin: 1.25,
  hold_minutes: 0,
  repeat: 'each',
  expires_at: null,
  loudness: 'buzz',
  note: null,
} as const
