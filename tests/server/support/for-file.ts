import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { Market } from '../../../server/services/market/market'
import { type BillingScene, billingScene } from './billing-scene'
import type { FakeMarket } from './fake-market'
import { type AppOptions, testApp, type TestApp } from './test-app'
import { freshDatabase, type TestDatabase } from './test-database'

/** An object that the tests of a file share: made before the first of them, when it gets its properties, and ended after the last. */
export function forFile<T extends object>(make: () => T | Promise<T>, end: (made: T) => unknown): T {
  const shared = {} as T
  beforeAll(async () => {
    Object.defineProperties(shared, Object.getOwnPropertyDescriptors(await make()))
  })
  afterAll(async () => {
    await end(shared)
  })
  return shared
}

type Given<T> = T | (() => T | Promise<T>)
const givenBy = async <T extends object>(given: Given<T>): Promise<T> => (typeof given === 'function' ? given() : given)

/** @param options of `testApp`; as a function where they need what the file makes before */
export function withServer(options?: Given<AppOptions<FakeMarket>>): TestApp
export function withServer<M extends Market>(options: Given<AppOptions<M> & { readonly market: M }>): TestApp<M>
export function withServer(options: Given<AppOptions<FakeMarket>> = {}): TestApp {
  return forFile(
    async () => testApp(await givenBy(options)),
    (server) => server.close(),
  )
}

export const withDatabase = (): TestDatabase => forFile(freshDatabase, (database) => database.close())

export const withBilling = (...options: Parameters<typeof billingScene>): BillingScene =>
  forFile(
    () => billingScene(...options),
    (scene) => scene.close(),
  )

/** A folder of the file's tests, which is there at once. */
export function temporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'ratio-test-'))
  afterAll(() => rmSync(path, { recursive: true, force: true }))
  return path
}
