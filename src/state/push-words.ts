import type { PushState } from './push'

/** The specification's sentences; both say why nothing can be done here. */
export const PUSH_UNSUPPORTED = 'Push notifications are not supported by this browser.'
export const PUSH_BLOCKED = 'Push notifications are blocked. Please enable them in browser settings.'

/** Whether this device is told of alerts, in a word or two. */
export const PUSH_WORDS: Readonly<Record<PushState, string>> = {
  unsupported: 'Not supported by this browser',
  'needs-home-screen': 'Off: needs the home screen',
  blocked: 'Blocked by the browser',
  off: 'Off',
  on: 'On',
}
