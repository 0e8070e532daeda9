import { atom, type createStore } from 'jotai'
import { createContext, use } from 'react'
import type { WorkerApi } from '../../workers/api'
import type { Call } from '../db/call'
import type { CommandContext } from '../db/command'
import type { SyncReason } from '../domain/sync-reason'
import type { PushClient } from './push'

/** Calls of the page to the engine, wherever it runs (service worker or web worker). */
export interface EngineClient {
  /** Asks for a drain, a pull and whatever else is due; returns at once. */
  requestSync(reason: SyncReason): void
  /** Never rejects. */
  readonly call: Call
}

/** Made once by src/app for the features. */
export interface Services {
  /** Its `db` can be used once `open` has resolved, as it has wherever a late component is drawn. */
  readonly commands: CommandContext
  /**
   * Opens the local database, whose code comes after the first paint; once for all.
   * @throws if that code could not be loaded; the next call tries again
   */
  readonly open: () => Promise<unknown>
  readonly engine: EngineClient
  readonly push: PushClient
  /** Starts the web worker at its first use. */
  readonly worker: () => WorkerApi
}

export const ServicesContext = createContext<Services | null>(null)

export function useServices(): Services {
  const services = use(ServicesContext)
  if (services === null) throw new Error('ServicesContext is missing')
  return services
}

/** Jotai's store: the values of all atoms of a page. */
export type Store = ReturnType<typeof createStore>

/** Takes over the new version and reloads; null while there is none. */
export const updateOfferAtom = atom<{ readonly accept: () => void } | null>(null)

/** How this browser can install the app. */
export type InstallOffer =
  /** The browser's own dialog, which can be opened once. */
  | { readonly kind: 'prompt'; readonly ask: () => Promise<void> }
  /** iPhone and iPad: only the share sheet can do it. */
  | { readonly kind: 'share-sheet' }
  | { readonly kind: 'installed' }
  | { readonly kind: 'unavailable' }

export const installOfferAtom = atom<InstallOffer>({ kind: 'unavailable' })
