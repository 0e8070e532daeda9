import { expect, test } from 'vitest'
import { acceptAlerts } from '../../src/db/answers/accept-alerts'
import { claimAlert, claimToasts, markAlertsSeen, putAway, putOffRearming } from '../../src/db/commands/alerts'
import { clearCache } from '../../src/db/local-data'
import { leaveExpiredSession, logOut } from '../../src/db/leave-owner'
import { LocalDatabase } from '../../src/db/database'
import { changePushRegistration, readPushRegistration } from '../../src/db/push-registration'
import { countUnseenAlerts, readAlerts, readUntoasted } from '../../src/db/queries/alerts'
import { ALERT_FRESHNESS } from '../../src/domain/alerts'
import { DAY, MINUTE } from '../../src/domain/granularity'
import type { OwnerId } from '../../src/domain/ids'
import { alertRow, presentOwner, OTHER_OWNER } from './support/alerts'
import { NOW, uuid } from './support/entries'
import { guestContext, userContext } from './support/people'

const scene = async () => {
  const context = await guestContext()
  return { context, db: context.db, owner: await presentOwner(context) }
}

test('exactly one of three tabs claims a crossing, and another epoch or side is another crossing', async () => {
  const { db, owner } = await scene()
  const tabs = [db, new LocalDatabase(db.name), new LocalDatabase(db.name)]
  const claims = await Promise.all(tabs.map((tab) => claimAlert(tab, alertRow(owner))))
  expect(claims.toSorted()).toEqual([false, false, true])
  expect(await claimAlert(db, alertRow(owner, { epoch: 1 }))).toBe(true)
  expect(await claimAlert(db, alertRow(owner, { side: 'low' }))).toBe(true)
})

test('a push whose crossing is ten minutes later than the page’s counts as another crossing of the same epoch', async () => {
  const { db, owner } = await scene()
  const pushed = (minutes: number) => alertRow(owner, { by: 'push', at: NOW + minutes * MINUTE, ratio: 30 + minutes })
  await claimAlert(db, alertRow(owner))
  expect(await claimAlert(db, pushed(9))).toBe(false)
  expect(await readAlerts(db)).toMatchObject([{ by: 'app', at: NOW, ratio: 21.5 }])
  expect(await claimAlert(db, pushed(10))).toBe(true)
  expect(await readAlerts(db)).toMatchObject([{ by: 'push', at: NOW + 10 * MINUTE, ratio: 40, toasted: false }])
  // The server says it twice; the page sees it late.
  expect(await claimAlert(db, pushed(10))).toBe(false)
  expect(await claimAlert(db, alertRow(owner, { at: NOW + 40 * MINUTE }))).toBe(false)
})

test('the server’s word of a crossing that the page saw takes the place of the page’s, unless it is of another crossing', async () => {
  const { db, owner } = await scene()
  const listed = (minutes: number, back_at?: number) => {
    const at = NOW + minutes * MINUTE
    const word = { at, crossed_at: new Date(at).toISOString(), ratio: 30 + minutes }
    return alertRow(owner, { by: 'sync', ...word, ...(back_at !== undefined && { back_at }) })
  }
  await claimAlert(db, alertRow(owner))
  expect(await claimAlert(db, listed(9))).toBe(false)
  expect(await claimAlert(db, listed(9, NOW + 20 * MINUTE))).toBe(false)
  expect(await readAlerts(db)).toMatchObject([
    { by: 'app', at: NOW + 9 * MINUTE, ratio: 39, back_at: NOW + 20 * MINUTE },
  ])
  // The same name with another time of the server: a restored database has used it again.
  expect(await claimAlert(db, listed(12))).toBe(true)
  expect(await readAlerts(db)).toMatchObject([{ by: 'sync', at: NOW + 12 * MINUTE }])
  expect((await readAlerts(db))[0]).not.toHaveProperty('back_at')
})

test('a pull prunes an owner’s alerts to 90 days and 1,000 rows by the server’s time, and leaves other owners’ alone', async () => {
  const { db, owner } = await scene()
  const others = alertRow(OTHER_OWNER, { widget: uuid(8), at: NOW - 200 * DAY })
  await db.alerts.put(others)
  const pull = () => acceptAlerts(db, owner, { as_of: new Date(NOW).toISOString(), alerts: [] }, NOW)
  await claimAlert(db, alertRow(owner, { epoch: 1, at: NOW - 90 * DAY - 1 }))
  await claimAlert(db, alertRow(owner, { epoch: 2, at: NOW - 90 * DAY }))
  // Seen by the page while this device's clock was a year ahead.
  await claimAlert(db, alertRow(owner, { epoch: 3, at: NOW + 365 * DAY }))
  expect(await readAlerts(db)).toHaveLength(3)
  await pull()
  expect((await readAlerts(db)).map(({ at }) => at)).toEqual([NOW + 365 * DAY, NOW - 90 * DAY])
  await db.alerts.bulkPut(Array.from({ length: 1_006 }, (_, n) => alertRow(owner, { epoch: n + 4, at: NOW + n + 4 })))
  await pull()
  const kept = await readAlerts(db)
  expect([kept.length, kept.at(1)!.at, kept.at(-1)!.at]).toEqual([1_000, NOW + 1_009, NOW + 11])
  expect(await db.alerts.get(others.event_id)).toBeDefined()
})

test('claimToasts gives the fresh alerts to one tab, oldest first, and stale alerts to no tab', async () => {
  const { db, owner } = await scene()
  const at = (ago: number, epoch: number) => alertRow(owner, { epoch, at: NOW - ago })
  const rows = [at(0, 3), at(MINUTE, 2), at(ALERT_FRESHNESS, 1)]
  await db.alerts.bulkPut([...rows, alertRow(OTHER_OWNER, { widget: uuid(8) })])
  expect(await readUntoasted(db)).toHaveLength(3)
  const tabs = [db, new LocalDatabase(db.name)]
  const claims = await Promise.all(tabs.map((tab) => claimToasts(tab, owner, NOW)))
  expect(claims.flat().map(({ event_id }) => event_id)).toEqual([rows[1]!.event_id, rows[0]!.event_id])
  expect(claims.filter((claim) => claim.length > 0)).toHaveLength(1)
  expect(await readUntoasted(db)).toEqual([])
  expect((await db.alerts.filter(({ toasted }) => !toasted).toArray()).map(({ owner: whose }) => whose)).toEqual([
    OTHER_OWNER,
  ])
})

test('marking alerts seen, re-arm later or put away sets only those flags and keeps the first seen time', async () => {
  const { context, db, owner } = await scene()
  await db.alerts.bulkPut([alertRow(owner), alertRow(owner, { epoch: 1 }), alertRow(OTHER_OWNER, { widget: uuid(8) })])
  expect(await countUnseenAlerts(db)).toBe(2)
  const first = `${uuid(1000)}:high:0`
  const second = `${uuid(1000)}:high:1`
  await markAlertsSeen(context, [first, 'gone:high:9'])
  await putOffRearming({ db, now: () => NOW + 5 }, second)
  await markAlertsSeen({ db, now: () => NOW + 9 }, [first, second])
  expect(await db.alerts.get(first)).toMatchObject({ seen_at: NOW, rearm_later: false, toasted: false })
  expect(await db.alerts.get(second)).toMatchObject({ seen_at: NOW + 5, rearm_later: true, toasted: true })
  // Its notification was dealt with: no page says it again.
  await putAway(context, [first])
  expect(await db.alerts.get(first)).toMatchObject({ seen_at: NOW, rearm_later: false, toasted: true })
  expect(await claimToasts(db, owner, NOW)).toEqual([])
  expect(await countUnseenAlerts(db)).toBe(0)
  expect(await db.alerts.count()).toBe(3)
})

test('clearing the cache keeps the alerts and the user’s choice to have push off', async () => {
  const { db, owner } = await scene()
  await claimAlert(db, alertRow(owner))
  await changePushRegistration(db, () => ({ off: true }))
  await clearCache(db)
  expect(await readAlerts(db)).toHaveLength(1)
  expect((await readPushRegistration(db)).off).toBe(true)
})

const left = (owner: OwnerId) => ({ owner, endpoint: `https://push.example/${owner}` })

test('a logout deletes the user’s alerts and stale push registrations, and keeps those of another owner', async () => {
  const context = await userContext(false)
  const { db } = context
  const owner = await presentOwner(context)
  await claimAlert(db, alertRow(owner))
  await claimAlert(db, alertRow(OTHER_OWNER, { widget: uuid(8) }))
  await changePushRegistration(db, () => ({ stale: [left(owner), left(OTHER_OWNER)] }))
  await logOut(context)
  expect((await db.alerts.toArray()).map((row) => row.owner)).toEqual([OTHER_OWNER])
  expect((await readPushRegistration(db)).stale).toEqual([left(OTHER_OWNER)])
})

test('leaving an expired session keeps the user’s alerts in the database and hides them from the guest', async () => {
  const context = await userContext(false)
  const { db } = context
  const owner = await presentOwner(context)
  await claimAlert(db, alertRow(owner))
  await leaveExpiredSession(context, owner)
  expect(await readAlerts(db)).toEqual([])
  expect(await countUnseenAlerts(db)).toBe(0)
  expect(await db.alerts.count()).toBe(1)
})
