import '../../sync/without-eval'
import type { LocalDatabase } from '../../db/database'
import { browserEnv } from '../../sync/env'
import { createEngine, type Engine } from '../../sync/engine'

/** A module of its own: a page with a service worker never loads the engine. */
export const createPageEngine = (db: LocalDatabase): Engine =>
  createEngine(browserEnv(db, location.origin, registration))

const registration = async (): Promise<ServiceWorkerRegistration | undefined> =>
  'serviceWorker' in navigator ? navigator.serviceWorker.getRegistration() : undefined
