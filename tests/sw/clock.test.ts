import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startClock } from '../../src/app/bridge/clock'
import { changeOwnerSyncState } from '../../src/db/owner-sync-state'
import type { CommandContext } from '../../src/db/command'
import { writeMeta } from '../../src/db/database'
import { logOut } from '../../src/db/leave-owner'
import type { SyncReason } from '../../src/domain/sync-reason'
import { SyncFailed } from '../../src/sync/protocol'
import { addPair, userContext } from '../db/support/people'
import { idle } from '../db/support/idle'
import { collectReports } from '../support/reports'

/** A page as far as the clock sees it, visible unless a test hides it. */
const page = { visibilityState: 'visible', addEventListener: () => undefined }

let context: CommandContext
let reasons: SyncReason[]
let wakes: number
let collected: ReturnType<typeof collectReports>

beforeEach(async () => {
  page.visibilityState = 'visible'
  vi.stubGlobal('document', page)
  collected = collectReports()
  vi.stubGlobal('window', { addEventListener: () => undefined })
  vi.stubGlobal('setInterval', () => 0)
  context = await userContext(false)
  reasons = []
  wakes = 0
  startClock({
    db: context.db,
    sync: async (reason) => {
      reasons.push(reason)
      return null
    },
    onWaiting: () => (wakes += 1),
    onFailure: collected.report,
  })
  // Begun after the clock's own first look, and so answered after it.
  await idle(context.db)
})
afterEach(() => {
  expect(collected.reports).toEqual([])
})

test('the page clock neither syncs nor wakes the service worker while nothing waits', () => {
  expect([reasons, wakes]).toEqual([[], 0])
})

test('a waiting change makes the page clock sync and wake the service worker, once each', async () => {
  await addPair(context)
  await vi.waitFor(() => expect([reasons, wakes]).toEqual([['command'], 1]))
})

test('several requests that the page clock is given for one press are one sync', async () => {
  const ask = startClock({
    db: context.db,
    sync: async (reason) => {
      reasons.push(reason)
      return null
    },
    onWaiting: () => undefined,
    onFailure: collected.report,
  })
  ask('command')
  ask('command')
  await vi.waitFor(() => expect(reasons).toEqual(['command']))
  ask('online')
  expect(reasons).toEqual(['command', 'online'])
})

test('a logout whose session must be revoked makes the page clock sync and wake the service worker, once each', async () => {
  await logOut(context)
  await vi.waitFor(() => expect([reasons, wakes]).toEqual([['command'], 1]))
})

test('a change of the signed-in owner makes the page clock sync, without waking the service worker', async () => {
  const { db } = context
  const session = (await db.session.get('current'))!
  await db.session.put({ ...session, owner: session.anonymous_id, user: null, tokens: null })
  await vi.waitFor(() => expect([reasons, wakes]).toEqual([['command'], 0]))
})

test.each(['needs_pull', 'needs_account_refresh'] as const)(
  'the page clock syncs at once when %s is set, and only once while the flag stays set',
  async (field) => {
    const { db } = context
    const { owner } = (await db.session.get('current'))!
    await changeOwnerSyncState(db, owner, { [field]: true })
    await vi.waitFor(() => expect([reasons, wakes]).toEqual([['command'], 0]))
    // It is not to be had just now: the next tick tries again, not every change of the sync state.
    await changeOwnerSyncState(db, owner, { pulled_at: 1 })
    await idle(db)
    expect(reasons).toEqual(['command'])
    await changeOwnerSyncState(db, owner, { [field]: false })
    await idle(db)
    await changeOwnerSyncState(db, owner, { [field]: true })
    await vi.waitFor(() => expect(reasons).toEqual(['command', 'command']))
  },
)

test('the page clock syncs for each revision that the stream names and this device does not hold, though an earlier service worker pulls none by it', async () => {
  const { db } = context
  const { owner } = (await db.session.get('current'))!
  await changeOwnerSyncState(db, owner, { list_revision: 1, told_revision: 2 })
  await vi.waitFor(() => expect(reasons).toEqual(['command']))
  await changeOwnerSyncState(db, owner, { told_revision: 3 })
  await vi.waitFor(() => expect(reasons).toEqual(['command', 'command']))
  await changeOwnerSyncState(db, owner, { list_revision: 3 })
  await idle(db)
  expect(reasons).toHaveLength(2)
})

test.each(['config', 'policies'] as const)('the page syncs when the stream names another version: %s', async (what) => {
  const { db } = context
  await writeMeta(db, 'versions', { [what]: { told: 'b', held: 'a' } })
  await vi.waitFor(() => expect(reasons).toEqual(['command']))
})

test('the page clock of a hidden page wakes the service worker but does not sync', async () => {
  page.visibilityState = 'hidden'
  await logOut(context)
  await vi.waitFor(() => expect(wakes).toBe(1))
  expect(reasons).toEqual([])
})

test('after a sync that failed in part the page clock reports its error and syncs again when something is due', async () => {
  const failures: unknown[] = []
  const full = new Error('Storage is full.')
  const asked: SyncReason[] = []
  const ask = startClock({
    db: context.db,
    sync: async (reason) => {
      asked.push(reason)
      if (asked.length === 1) throw new SyncFailed(full, 0)
      return null
    },
    onWaiting: () => undefined,
    onFailure: (error) => failures.push(error),
  })
  ask('start')
  await vi.waitFor(() => expect(asked).toEqual(['start', 'due']))
  expect(failures).toEqual([full])
})
