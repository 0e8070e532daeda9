import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startClock } from '../../src/app/bridge/clock'
import { changeBook } from '../../src/db/answers/owner-book'
import type { CommandContext } from '../../src/db/command'
import { logOut } from '../../src/db/commands/log-out'
import type { SyncReason } from '../../src/sync/reason'
import { addPair, userContext } from '../db/support/people'
import { settled } from '../db/support/settled'
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
  await settled(context.db)
})
afterEach(() => {
  vi.unstubAllGlobals()
  expect(collected.reports).toEqual([])
})

test('nothing is asked for while nothing waits', () => {
  expect([reasons, wakes]).toEqual([[], 0])
})

test('a change is sent, also after the last tab is closed', async () => {
  await addPair(context)
  await vi.waitFor(() => expect([reasons, wakes]).toEqual([['command'], 1]))
})

test('a session that was left is ended, also after the last tab is closed', async () => {
  await logOut(context)
  await vi.waitFor(() => expect([reasons, wakes]).toEqual([['command'], 1]))
})

test('what belongs to whoever has signed in is asked for', async () => {
  const { db } = context
  const session = (await db.session.get('current'))!
  await db.session.put({ ...session, owner: session.anonymous_id, user: null, tokens: null })
  await vi.waitFor(() => expect([reasons, wakes]).toEqual([['command'], 0]))
})

test.each(['pull_wanted', 'account_wanted'] as const)(
  'what an answer asks for is asked for at once: %s',
  async (wish) => {
    const { db } = context
    const { owner } = (await db.session.get('current'))!
    await changeBook(db, owner, { [wish]: true })
    await vi.waitFor(() => expect([reasons, wakes]).toEqual([['command'], 0]))
    // It is not to be had just now: the next tick tries again, not every change of the book.
    await changeBook(db, owner, { pulled_at: 1 })
    await settled(db)
    expect(reasons).toEqual(['command'])
    await changeBook(db, owner, { [wish]: false })
    await settled(db)
    await changeBook(db, owner, { [wish]: true })
    await vi.waitFor(() => expect(reasons).toEqual(['command', 'command']))
  },
)

test('a hidden page leaves asking to the visible ones, but not waking the worker', async () => {
  page.visibilityState = 'hidden'
  await logOut(context)
  await vi.waitFor(() => expect(wakes).toBe(1))
  expect(reasons).toEqual([])
})
