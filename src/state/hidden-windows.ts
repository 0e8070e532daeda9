/** The fate of alerts on a device without notifications, said the same on every screen. */
export const HIDDEN_WINDOWS =
  'Without notifications, crossings are announced only in the open app. Browsers slow a hidden window down or freeze it: there you may hear of a crossing late, or when you come back.'
