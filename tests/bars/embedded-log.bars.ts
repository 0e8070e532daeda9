import { expect, test } from 'vitest'
import { heavyKill } from '../server/support/heavy-kill'
import { readyFolder } from '../server/support/test-storage'

const GIGABYTES = Number(process.env['HEAVY_GB'] ?? 2)
/** Milliseconds. */
const RESTART = 5_000

test(`kill -9 among eight writers after ${GIGABYTES} GB of writes costs the embedded database no acknowledged row; its log stays under 100 MB, and a server is ready in under 5 s`, async () => {
  const storage = await readyFolder()
  const report = await heavyKill(storage.variables['DATA_DIR']!, GIGABYTES * 1e9)
  await storage.remove()
  console.log(JSON.stringify(report))
  expect(report.lost).toEqual([])
  expect(report.longestLog).toBeLessThan(100_000_000)
  expect(report.restart).toBeLessThan(RESTART)
})
