import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { processorSeconds } from '../support/processor-seconds.mjs'

/** Seconds that the child computes, under a name that looks like the rest of the kernel's line. */
const WORK = 0.4
const BUSY_CHILD = `
  process.title = 'a) R 1 (b'
  while (process.cpuUsage().user < ${WORK * 1_000_000});
  console.log('done')
  process.stdin.resume()`

// Elsewhere no process knows the time of another.
describe.runIf(process.platform === 'linux')('processor time', () => {
  it('the processor time of a process includes a child’s while it runs, and after it has ended', async () => {
    const before = processorSeconds()
    const child = spawn(process.execPath, ['-e', BUSY_CHILD], { stdio: ['pipe', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    expect(processorSeconds() - before).toBeGreaterThanOrEqual(WORK)
    child.stdin.end()
    await once(child, 'close')
    expect(processorSeconds() - before).toBeGreaterThanOrEqual(WORK)
  })
})
