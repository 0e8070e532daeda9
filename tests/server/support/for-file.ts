import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
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
  const server = forFile(
    async () => testApp(await givenBy(options)),
    (one) => one.close(),
  )
  afterEach(() => expectThresholdRules(server.database))
  return server
}

export function withDatabase(): TestDatabase {
  const database = forFile(freshDatabase, (one) => one.close())
  afterEach(() => expectThresholdRules(database))
  return database
}

/** Expects that alert_rules holds the thresholds as widgets does, whatever a test has done. */
async function expectThresholdRules({ pool }: Pick<TestDatabase, 'pool'>): Promise<void> {
  const { rows } = await pool.query(`
    WITH columns AS (
      SELECT id AS widget_id, owner_id, pair_id, 'above' AS kind, high_threshold AS level, alert_margin, alert_hold_minutes,
        high_threshold_active, high_epoch, high_due_at, is_active AND notifications_enabled FROM widgets
      UNION ALL
      SELECT id, owner_id, pair_id, 'below', low_threshold, alert_margin, alert_hold_minutes,
        low_threshold_active, low_epoch, low_due_at, is_active AND notifications_enabled FROM widgets
    ), wanted AS (
      SELECT md5(concat(widget_id, ':', kind))::uuid, * FROM columns WHERE level IS NOT NULL
    ), thresholds AS (
      SELECT id, widget_id, owner_id, pair_id, kind, level, margin, hold_minutes, armed, epoch, due_at, watched
      FROM alert_rules WHERE measure IS NULL
    )
    (TABLE wanted EXCEPT TABLE thresholds) UNION ALL (TABLE thresholds EXCEPT TABLE wanted)`)
  expect(rows, 'rules that differ from the thresholds of widgets').toEqual([])
}

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
