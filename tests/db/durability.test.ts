import { expect, test, vi } from 'vitest'
import { addWidget } from '../../src/db/commands/widgets'
import { ensureIdentity } from '../../src/db/identity'
import { writePrices } from '../../src/db/write-prices'
import type { CoinId } from '../../src/domain/ids'
import { NOW, testContext } from './support/entries'

test('a change by the user is stored once the disk has it, and prices, which are asked for again, before', async () => {
  const begun = vi.spyOn(IDBDatabase.prototype, 'transaction')
  const context = testContext()
  const durabilityOf = async (write: Promise<unknown>) => {
    await write
    return begun.mock.lastCall!.slice(1)
  }
  await ensureIdentity(context, new Uint8Array(24))
  const coins = { coinA: 'bitcoin', coinB: 'ethereum' } as { coinA: CoinId; coinB: CoinId }
  expect(await durabilityOf(addWidget(context, coins))).toEqual(['readwrite', { durability: 'strict' }])
  const polled = new Map([[coins.coinA, { usd: 5, providerTime: NOW }]])
  expect(await durabilityOf(writePrices(context.db, 'simulated', polled, NOW))).toEqual([
    'readwrite',
    { durability: 'relaxed' },
  ])
})
