import { expect, test } from 'vitest'
import { ensureIdentity } from '../../src/db/identity'
import { changeOwnerSyncState, readOwnerSyncState } from '../../src/db/owner-sync-state'
import { applyEvent } from '../../src/sync/stream/apply-event'
import { entryOf, testContext, widgetNumber } from '../db/support/entries'
import { wiredEnv } from './support/wire'

test('a revision that the stream tells during a change of this device leaves a pull that is owed', async () => {
  const context = testContext()
  const { db } = context
  const owner = await ensureIdentity(context, new Uint8Array(24))
  await changeOwnerSyncState(db, owner, { list_revision: 3, needs_pull: true })
  const underWay = { owner, state: 'leased', lease: 'mine' } as const
  await db.outbox.add(entryOf(1, 'widget.delete@1', { widget: widgetNumber(0).id }, underWay))
  await applyEvent(wiredEnv(db, {}), { owner, coins: [] }, { name: 'widgets', data: { revision: 4 } })
  expect(await readOwnerSyncState(db, owner)).toMatchObject({ needs_pull: true, told_revision: 4 })
})
