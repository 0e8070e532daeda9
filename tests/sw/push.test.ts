import { createHash } from 'node:crypto'
import { Dexie } from 'dexie'
import { expect, test, vi } from 'vitest'
import { logOut } from '../../src/db/leave-owner'
import { saveAlertHold } from '../../src/db/commands/alert-settings'
import { claimAlert } from '../../src/db/commands/alerts'
import type { LocalDatabase } from '../../src/db/database'
import { readAlerts } from '../../src/db/queries/alerts'
import type { AlertNotification } from '../../src/domain/alert-notification'
import { onPush, ownerHash } from '../../src/sync/push/on-push'
import { alertRow, messageOf, presentOwner, OTHER_OWNER } from '../db/support/alerts'
import { NOW } from '../db/support/entries'
import { userContext } from '../db/support/people'

async function scene() {
  const context = await userContext(false)
  const owner = await presentOwner(context)
  const shown: AlertNotification[] = []
  const show = async (notification: AlertNotification) => void shown.push(notification)
  const confirmed: [ids: readonly string[], notifications: number][] = []
  const confirm = async (ids: readonly string[]) => void confirmed.push([ids, shown.length])
  const push = (text: string | undefined, now = NOW) => onPush(context.db, show, text, now, confirm)
  const alert = (change: Parameters<typeof alertRow>[1] = {}) => alertRow(owner, { epoch: 3, ...change })
  const text = async (change: Parameters<typeof alertRow>[1] = {}, whose = owner) =>
    JSON.stringify(messageOf(alert(change), await ownerHash(whose)))
  return { context, db: context.db, owner, shown, confirmed, push, alert, text }
}

test('a push names its owner by the SHA-256 hash of the owner id in base64url', async () => {
  expect(await ownerHash(OTHER_OWNER)).toBe(createHash('sha256').update(OTHER_OWNER).digest('base64url'))
})

test('a push shows a notification of the alert with its age, and stores the alert', async () => {
  const { db, shown, push, text, alert } = await scene()
  await push(await text(), NOW + 12 * 60_000)
  const options = { tag: alert().event_id, silent: false, body: expect.stringMatching(/, 12 min ago$/) }
  expect(shown).toMatchObject([{ title: 'Sell alert: AAA / BBB', options }])
  expect(await readAlerts(db)).toEqual([{ ...alert(), by: 'push', crossed_at: new Date(alert().at).toISOString() }])
})

test('a push is confirmed by its event id once its notification is shown', async () => {
  const { confirmed, push, text, alert } = await scene()
  const declarative = {
    web_push: 8030,
    mutable: true,
    notification: { title: 'AAA / BBB', navigate: 'https://app.example/' },
  }
  await push(JSON.stringify({ ...declarative, ...JSON.parse(await text()) }))
  await push('<html>')
  expect(confirmed).toEqual([
    [[alert().event_id], 1],
    [[], 2],
  ])
})

test('a push says which coin moved since the checkpoint, and stores the alert as one that does not', async () => {
  const { db, shown, push, text, alert } = await scene()
  await push(JSON.stringify({ ...JSON.parse(await text()), since_checkpoint: { a: 0.08, b: -0.01 } }))
  expect(shown[0]!.options.body).toContain('\nSince checkpoint +9.1')
  expect(await readAlerts(db)).toEqual([{ ...alert(), by: 'push', crossed_at: new Date(alert().at).toISOString() }])
})

test('a push of an alert already announced here replaces that notification without a sound', async () => {
  const { db, shown, push, text, alert } = await scene()
  await claimAlert(db, alert())
  await push(await text())
  await push(await text())
  const replaced = [alert().event_id, true]
  expect(shown.map(({ options: { tag, silent } }) => [tag, silent])).toEqual([replaced, replaced])
})

test('a push for another owner shows a neutral notification and stores nothing', async () => {
  const { context, db, owner, shown, push, text } = await scene()
  await push(await text({}, OTHER_OWNER))
  await logOut(context)
  await push(await text({}, owner))
  expect(shown.map(({ title }) => title)).toEqual(['A ratio alert fired', 'A ratio alert fired'])
  expect(JSON.stringify(shown)).not.toMatch(/AAA|21\.5/)
  expect(await db.alerts.count()).toBe(0)
})

test.each([
  ['nothing', undefined],
  ['no JSON', '<html>'],
  ['another kind of message', JSON.stringify({ type: 'news' })],
  ['half a message', JSON.stringify({ type: 'alert', event_id: 'w:high:1' })],
])('a push with %s as its body shows a neutral notification and stores nothing', async (_, text) => {
  const { db, shown, push } = await scene()
  await push(text)
  expect(shown).toMatchObject([{ title: 'A ratio alert fired', options: { data: null } }])
  expect(await db.alerts.count()).toBe(0)
})

test('a push that cannot be stored is shown all the same, and its handler rejects with the cause', async () => {
  const { db, shown, push, text } = await scene()
  vi.spyOn(db.alerts, 'bulkPut').mockRejectedValue(new Error('The disk is gone.'))
  await expect(push(await text())).rejects.toThrow('The disk is gone.')
  expect(shown).toMatchObject([{ title: 'Sell alert: AAA / BBB', options: { silent: false } }])
})

test('a push that finds the local database closed shows a neutral notification, and its handler rejects', async () => {
  const { db, shown, push, text } = await scene()
  const message = await text()
  db.close({ disableAutoOpen: true })
  await expect(push(message)).rejects.toThrow()
  expect(shown).toMatchObject([{ title: 'A ratio alert fired', options: { data: null } }])
})

test.each([
  ['opening', 'A ratio alert fired', (db: LocalDatabase) => vi.spyOn(db.session, 'get')],
  ['writing', 'Sell alert: AAA / BBB', (db: LocalDatabase) => vi.spyOn(db, 'transaction')],
] as const)('a push shows its notification although the local database never ends %s', async (_, title, hanging) => {
  const { db, shown, push, text } = await scene()
  const message = await text()
  hanging(db).mockImplementation(() => new Dexie.Promise(() => undefined))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const refused = expect(push(message)).rejects.toThrow('The local database did not answer a push in time.')
  // Digests and reads of the database take real time.
  while (shown.length === 0) {
    await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(300)
  }
  await refused
  expect(shown).toMatchObject([{ title }])
})

test('a digest lists its alerts, the newest first, in one notification, and again without a sound', async () => {
  const { db, owner, shown, push, alert } = await scene()
  const alerts = [1, 2, 3, 4].map((epoch) => {
    const {
      type: _type,
      owner: _owner,
      ...told
    } = messageOf(alert({ epoch, event_id: `P${epoch}:high:${epoch}`, pair: `P${epoch} / BBB` }), '')
    return told
  })
  const event_ids = alerts.map(({ event_id }) => event_id)
  const text = JSON.stringify({ type: 'digest', owner: await ownerHash(owner), count: 6, alerts })
  await claimAlert(db, alert({ event_id: 'P1:high:1', epoch: 1, pair: 'P1 / BBB' }))
  await push(text)
  await push(text)
  expect(shown.map(({ title, options }) => [title, options.silent, options.tag, options.data])).toEqual(
    [false, true].map((silent) => ['6 ratio alerts', silent, 'digest:P4:high:4', { owner, event_ids }]),
  )
  const lines = shown[0]!.options.body.split('\n')
  expect(lines.map((line) => /P\d|and 2 more/.exec(line)?.[0])).toEqual(['P4', 'P3', 'P2', 'P1', 'and 2 more'])
  expect(await readAlerts(db)).toHaveLength(4)
})

test('a push that comes in a pause, of which the server has not heard yet, is shown without a sound', async () => {
  const { context, shown, push, text } = await scene()
  await saveAlertHold(context, { paused_until: new Date(NOW + 60_000).toISOString() })
  await push(await text())
  await push(await text({ epoch: 4 }), NOW + 60_000)
  expect(shown.map(({ options }) => options.silent)).toEqual([true, false])
})
