import { expect, test } from 'vitest'
import { acceptPull } from '../../src/db/answers/accept-pull'
import { begunPull, pulledRows } from './support/pulled'
import { raiseRevision, readOwnerSyncState } from '../../src/db/owner-sync-state'
import { acceptSignIn } from '../../src/db/answers/session-answers'
import { addWidget } from '../../src/db/commands/widgets'
import { keepFeedbackDraft, readFeedbackDraft } from '../../src/db/feedback-draft'
import { leaveExpiredSession, logOut } from '../../src/db/leave-owner'
import { type LocalDatabase, readMeta, writeMeta } from '../../src/db/database'
import { readBoard } from '../../src/db/board-rows'
import type { CoinId, OwnerId } from '../../src/domain/ids'
import { wireWidget } from '../support/widget-row'
import { NOW } from './support/entries'
import { addPair, guestContext, userContext } from './support/people'

const present = async (db: LocalDatabase) => (await db.session.get('current'))!.owner
const tokens = { access: 'a2', refresh: 'r2' }

test('a pull that began before a logout is rejected, also after the same user signs in again', async () => {
  const context = await userContext(false)
  const { db } = context
  const { owner, user } = (await db.session.get('current'))!
  await raiseRevision(db, owner)
  const { applied_rev } = await readOwnerSyncState(db, owner)
  await logOut(context)
  expect(await acceptPull(db, begunPull(owner, applied_rev), pulledRows([wireWidget()]), NOW)).toBe(false)
  await acceptSignIn(db, { asked: await present(db), user: user!, tokens, deletionCancelled: false }, NOW)
  expect(await acceptPull(db, begunPull(owner, applied_rev), pulledRows([wireWidget()]), NOW)).toBe(false)
  expect(await db.widgets.count()).toBe(0)
})

test('a logout clears the sync problems of the user’s pairs and alerts and keeps the problem of the coins', async () => {
  const context = await userContext(false)
  const problems = {
    widgets: 'Could not load your pairs.',
    alerts: 'Could not load your alerts.',
    coins: 'No coins.',
  }
  const state = { last_success_at: 1, last_failure_at: 2, problem: problems.widgets, problems, unreachable_since: null }
  await writeMeta(context.db, 'sync_state', state)
  await logOut(context)
  expect(await readMeta(context.db, 'sync_state')).toEqual({
    ...state,
    problem: 'No coins.',
    problems: { coins: 'No coins.' },
  })
})

test('a user’s feedback draft survives an expired session, is hidden from the guest, and is deleted at logout', async () => {
  const context = await userContext(false)
  const { db } = context
  const { owner, user } = (await db.session.get('current'))!
  await keepFeedbackDraft(db, 'I like it.')
  await leaveExpiredSession(context, owner)
  expect(await readFeedbackDraft(db)).toBe('')
  await keepFeedbackDraft(db, 'A guest’s.')
  await acceptSignIn(db, { asked: await present(db), user: user!, tokens, deletionCancelled: false }, NOW)
  expect(await readFeedbackDraft(db)).toBe('I like it.')
  await logOut(context)
  expect(await readFeedbackDraft(db)).toBe('A guest’s.')
  expect(await readMeta(db, 'feedback_drafts')).toEqual({ [(await db.session.get('current'))!.owner]: 'A guest’s.' })
})

test('a guest who logs out keeps the identity and the pairs', async () => {
  const context = await guestContext()
  await addPair(context)
  const session = await context.db.session.get('current')
  await logOut(context)
  await leaveExpiredSession(context, session!.owner)
  expect(await context.db.session.get('current')).toEqual(session)
  expect((await readBoard(context.db))!.widgets).toHaveLength(1)
})

test('a new sign-in queues the revocation of the session before, of the same user or of another user', async () => {
  const context = await userContext(false)
  const { db } = context
  const { user } = (await db.session.get('current'))!
  await addPair(context)
  await acceptSignIn(db, { asked: await present(db), user: user!, tokens, deletionCancelled: false }, NOW)
  expect(await readMeta(db, 'revocations')).toEqual(['r'])
  expect((await readBoard(db))!.changes).toHaveLength(1)

  const other = { ...user!, id: 'another user' }
  await acceptSignIn(
    db,
    { asked: await present(db), user: other, tokens: { access: 'a3', refresh: 'r3' }, deletionCancelled: false },
    NOW,
  )
  expect(await readMeta(db, 'revocations')).toEqual(['r', 'r2'])
  expect(await readBoard(db)).toMatchObject({ owner: other.id as OwnerId, changes: [], widgets: [] })
  expect(await db.outbox.count()).toBe(1)
})

const PAIR = { coinA: 'bitcoin' as CoinId, coinB: 'ethereum' as CoinId }

test('a click at the moment of a logout in another tab adds nothing to the guest, and is refused with the reason', async () => {
  const other = await userContext(false)
  const shown = (await other.db.session.get('current'))!.owner
  const page = { ...other, shownOwner: () => shown }
  expect(await addWidget(page, PAIR)).toMatchObject({ ok: true })

  await logOut(other)
  expect(await addWidget(page, PAIR)).toEqual({
    ok: false,
    message: 'Another tab has logged in or out. Try again.',
  })
  expect(await other.db.outbox.count()).toBe(0)
})

test('a command is of the owner whom the page shows at the click, not when the command’s transaction begins', async () => {
  const other = await userContext(false)
  let shown = (await other.db.session.get('current'))!.owner
  const guest = (await other.db.session.get('current'))!.anonymous_id
  const left = logOut(other)
  const added = addWidget({ ...other, shownOwner: () => shown }, PAIR)
  // The page has followed by the time that the command's transaction begins.
  shown = guest
  await left
  expect((await added).ok).toBe(false)
  expect(await other.db.outbox.count()).toBe(0)
  expect((await addWidget({ ...other, shownOwner: () => shown }, PAIR)).ok).toBe(true)
})
