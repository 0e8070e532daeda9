/** A notification as a page can read it from its service worker (Notifications API). */
export interface Shown {
  readonly title: string
  readonly body: string
  readonly tag: string
}

/** Runs in a page, whichever browser has it: what notifications of the app are shown now. */
export async function shownNotifications(): Promise<Shown[]> {
  const registration = await navigator.serviceWorker.ready
  return (await registration.getNotifications()).map(({ title, body, tag }) => ({ title, body, tag }))
}
