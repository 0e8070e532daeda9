import { expect, test } from 'vitest'
import { saveAlertHold } from '../../src/db/commands/alert-settings'
import { bringPairsAlong } from '../../src/db/commands/bring-guest-pairs'
import { readAlerts } from '../../src/db/queries/alerts'
import { readOwnAlerts } from '../../src/db/own-alerts'
import { claimToasts } from '../../src/db/commands/alerts'
import { HOUR, MINUTE } from '../../src/domain/granularity'
import { alert_settings } from '../../server/db/schema/alerts'
import { recordCrossings } from '../server/support/crossings'
import { notifiedPage } from './support/notified-page'

const page = notifiedPage()
const { scene } = page

// The clock of the tests stands at noon, UTC.
const NOON = { from: '11:00', to: '13:00', days: [1, 2, 3, 4, 5, 6, 7], time_zone: 'UTC' }
const stored = async () => (await scene.server.rows(alert_settings)).map((row) => [row.quiet_hours, row.paused_until])
/** The pair comes to so many extremes, and the page pulls. */
async function cross(first: number, count = 1) {
  const [widget] = await scene.tab.db.widgets.toArray()
  const fields = { kind: 'extreme_high', measure: 0.97, days: 90, crossed_at: new Date(scene.server.clock()) } as const
  const fired = Array.from({ length: count }, (_, i) => ({ ...fields, epoch: first + i }))
  await recordCrossings(scene.server.database, widget!.id, fired)
  scene.later(MINUTE)
  await page.engine.sync('tick')
}

test('quiet hours and a pause that are set without a network hold the page’s announcements at once, and reach the server', async () => {
  scene.offline()
  await saveAlertHold(scene.tab.context, { quiet_hours: NOON })
  await saveAlertHold(scene.tab.context, { paused_until: new Date(scene.server.clock() + 3 * HOUR).toISOString() })
  await saveAlertHold(scene.tab.context, { paused_until: null })
  expect(await readOwnAlerts(scene.tab.db)).toMatchObject({ extremes: true, quiet_hours: NOON, paused_until: null })
  scene.online()
  scene.later(MINUTE)
  await page.engine.sync('online')
  expect(await stored()).toEqual([[NOON, null]])

  await cross(1)
  const [held] = await readAlerts(scene.tab.db)
  expect(held).toMatchObject({ quiet: true, seen_at: null })
  expect(new Date(held!.held_until!).toISOString().slice(11, 16)).toBe('13:00')
  await saveAlertHold(scene.tab.context, { paused_until: new Date(scene.server.clock() + 3 * HOUR).toISOString() })
  await page.engine.sync('command')
  scene.later(HOUR)
  await cross(2)
  expect((await readAlerts(scene.tab.db))[0]).toMatchObject({ quiet: true, held_until: null })
  expect([page.push.notified, await claimToasts(scene.tab.db, held!.owner, scene.tab.env.now())]).toEqual([[], []])
  scene.later(2 * HOUR)
  await cross(3)
  expect(page.push.notified).toMatchObject([{ silent: false }])
})

test('four crossings that are pulled at once are one notification, and three are three', async () => {
  await cross(1, 3)
  expect(page.push.notified).toHaveLength(3)
  await cross(4, 4)
  expect(page.push.notified.slice(3)).toMatchObject([{ silent: false, tag: expect.stringMatching(/^digest:/) }])
})

test('quiet hours of a guest come along to an account that has none', async () => {
  await saveAlertHold(scene.tab.context, { quiet_hours: NOON })
  await page.engine.sync('command')
  await scene.memberHere()
  await page.engine.sync('start')
  await bringPairsAlong(scene.tab.context)
  await page.engine.sync('command')
  expect((await readOwnAlerts(scene.tab.db))?.quiet_hours).toEqual(NOON)
  expect(await stored()).toEqual([
    [NOON, null],
    [NOON, null],
  ])
})
