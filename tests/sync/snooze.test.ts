import { beforeEach, expect, test } from 'vitest'
import { updateWidget } from '../../src/db/commands/widgets'
import { acceptPush } from '../../src/db/answers/accept-alerts'
import { readAlerts } from '../../src/db/queries/alerts'
import { HOUR, MINUTE } from '../../src/domain/granularity'
import { widgets } from '../../server/db/schema/widgets'
import { messageOf } from '../db/support/alerts'
import { recordCrossings } from '../server/support/crossings'
import { notifiedPage } from './support/notified-page'

const page = notifiedPage()
const { scene } = page
beforeEach(async () => {
  await updateWidget(scene.tab.context, (await pair()).id, { notificationsEnabled: true })
  await page.engine.sync('command')
})

const pair = async () => (await scene.tab.db.widgets.toArray())[0]!
const snooze = async (until: number | null) =>
  updateWidget(scene.tab.context, (await pair()).id, { snooze: until === null ? null : { until, untilBack: false } })
/** The pair's threshold is crossed, and the page pulls before the server has looked at it. */
async function cross(epoch: number) {
  const crossed_at = new Date(scene.server.clock())
  await recordCrossings(scene.server.database, (await pair()).id, [{ epoch, crossed_at }])
  scene.later(MINUTE / 2)
  await page.engine.sync('start')
  return (await readAlerts(scene.tab.db)).find((row) => row.event_id.endsWith(`:${epoch}`))
}

test('a snooze that is set without a network holds the page’s announcements of its pair at once, reaches the server, and is ended the same way', async () => {
  const before = await cross(1)
  expect([before?.not_sent, page.push.notified.length]).toEqual([undefined, 1])
  scene.offline()
  await snooze(scene.server.clock() + 2 * HOUR)
  const message = { ...messageOf(before!), event_id: `${before!.widget_id}:high:9`, epoch: 9 }
  const pushed = { ...message, crossed_at: new Date(scene.server.clock()).toISOString() }
  const accepted = await acceptPush(scene.tab.db, [pushed], before!.owner, scene.tab.env.now())
  expect(accepted).toMatchObject({ paused: true, canSnooze: true })
  scene.online()
  scene.later(MINUTE)
  await page.engine.sync('online')
  expect((await scene.server.rows(widgets))[0]!.snoozed_until?.getTime()).toBeGreaterThan(scene.server.clock() + HOUR)

  expect(await cross(2)).toMatchObject({ quiet: true, held_until: null, not_sent: 'snoozed' })
  expect(page.push.notified).toHaveLength(1)
  // An alert that was announced before the snooze stays so.
  expect((await readAlerts(scene.tab.db)).find(({ event_id }) => event_id === before!.event_id)).not.toHaveProperty(
    'not_sent',
  )
  await snooze(null)
  await page.engine.sync('command')
  expect((await pair()).snoozed_until).toBeUndefined()
  await cross(3)
  expect(page.push.notified).toHaveLength(2)
})
