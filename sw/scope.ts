/*
 * What the standard library does not declare of a service worker's scope. Background Sync and Periodic Background Sync
 * exist in Chromium only.
 */
export interface SyncEvent extends ExtendableEvent {
  readonly tag: string
}

interface Events extends ServiceWorkerGlobalScopeEventMap {
  readonly sync: SyncEvent
  readonly periodicsync: SyncEvent
}

export interface Scope extends Omit<ServiceWorkerGlobalScope, 'addEventListener'> {
  addEventListener<K extends keyof Events>(type: K, listener: (event: Events[K]) => void): void
}
