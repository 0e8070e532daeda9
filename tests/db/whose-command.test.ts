import { expect, test } from 'vitest'
import { addWidget } from '../../src/db/commands/widgets'
import { logOut } from '../../src/db/leave-owner'
import type { CoinId } from '../../src/domain/ids'
import { userContext } from './support/people'

const PAIR = { coinA: 'bitcoin' as CoinId, coinB: 'ethereum' as CoinId }

test('a click in the moment of a logout in another tab adds nothing to the guest, and says why', async () => {
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

test('a command counts for whom the page shows when it is given, not when it comes to be run', async () => {
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
