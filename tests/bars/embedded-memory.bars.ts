import { expect, test } from 'vitest'
import { memoryUnderLoad } from '../server/support/memory-load'
import { readyFolder } from '../server/support/test-storage'

/** How much the server answers in all; 200 requests a second take some 50 minutes for 20 GB. */
const GIGABYTES = Number(process.env['MEMORY_GB'] ?? 20)
const HOURS = 3_600_000

test(
  `the memory of a server on the embedded database stays within 20 % of its tenth minute while it answers ${GIGABYTES} GB at 200 requests/s, and idle afterwards`,
  { timeout: 6 * HOURS },
  async () => {
    const storage = await readyFolder()
    const log = (line: string) => process.stdout.write(`${line}\n`)
    const report = await memoryUnderLoad({ variables: storage.variables, bytes: GIGABYTES * 1e9, rate: 200, log })
    await storage.remove()
    log(JSON.stringify(report))
    expect(report.failures).toBe(0)
    expect(report.loaded).toBeLessThanOrEqual(report.warm * 1.2)
    expect(report.idle).toBeLessThanOrEqual(report.warm * 1.2)
  },
)
