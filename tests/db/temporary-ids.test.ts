import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { addWidget } from '../../src/db/commands/add-widget'
import { saveCheckpoint } from '../../src/db/commands/save-checkpoint'
import type { CoinId } from '../../src/domain/ids'
import { firstWidget, guestContext } from './support/people'

test('a new widget and a new checkpoint have temporary ids with the prefixes temp- and temp-cp-', async () => {
  const context = await guestContext()
  await addWidget(context, { coinA: 'aaa' as CoinId, coinB: 'bbb' as CoinId })
  const { id } = await firstWidget(context)
  expect(id).toMatch(/^temp-(?!cp-)[\w-]{36}$/)
  await saveCheckpoint(context, id, 2)
  const [checkpoint] = (await firstWidget(context)).checkpoints
  expect(checkpoint!.id).toMatch(/^temp-cp-[\w-]{36}$/)
})
