import { expect, test } from 'vitest'
import { addWidget } from '../../src/db/commands/widgets'
import { saveCheckpoint } from '../../src/db/commands/default-checkpoint'
import { layoutReorder } from '../../src/db/mutations/widget-mutations'
import type { CoinId, WidgetId } from '../../src/domain/ids'
import { widgetNumber } from './support/entries'
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

test('an order of pairs is sent with the ids that the server has given to new pairs since', () => {
  const [added, old] = [widgetNumber(1).id, widgetNumber(2).id]
  const ids = new Map([['temp-1', added]])
  expect(layoutReorder.request({ ordered_ids: ['temp-1' as WidgetId, old] }, ids)).toEqual({
    route: 'reorderWidgets',
    params: {},
    body: { ordered_ids: [added, old] },
  })
})
