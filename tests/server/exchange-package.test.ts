import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { exchangeThreads } from '../../server/adapters/market-stream/exchange-thread'
import { emptyFolder, type TestStorage } from './support/test-storage'

let storage: TestStorage
afterEach(() => storage.remove())

test('MARKET_STREAM without the package ccxt is refused by a sentence that says which command installs it', () => {
  storage = emptyFolder()
  const file = pathToFileURL(join(storage.variables['DATA_DIR']!, 'exchange-worker.mjs'))
  expect(() => exchangeThreads(file, undefined)).toThrow(
    'MARKET_STREAM: needs the package ccxt, which is not installed here. "npm ci --omit=dev" installs it.',
  )
})
