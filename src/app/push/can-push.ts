/**
 * Whether this browser has all that push takes. Looked for anew each time, where it is used: an iPhone has it only in an
 * app that was started from the home screen.
 */
export const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
