import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { freePort } from '../e2e/support/free-port'
import { projectRoot } from '../../server/cli/run-command.mjs'
import { startServer } from '../server/support/server-process'
import { emptyDatabase, readyFolder, type TestStorage } from '../server/support/test-storage'

const url = process.env['TEST_DATABASE_URL'] ?? ''
/** Seconds: until the work of a start is over, and of the measure. */
const [WARM, MEASURED] = [60, 80]
/** Share of a core; bytes of a process, and of the database that one of them has within itself. */
const [PROCESSOR, MEMORY, EMBEDDED] = [0.01, 120e6, 300e6]

/** As `npm run build` has made it. */
const PROGRAM = join(projectRoot, 'dist/server/main.js')

/** A process says of itself how much it takes while no request comes. */
async function atRest({ variables }: TestStorage, role: 'web' | 'worker' | 'all') {
  const METRICS_PORT = String(await freePort())
  const server = await startServer({ ...variables, METRICS_PORT }, ['--role', role], PROGRAM)
  const read = async () => {
    const text = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text()
    const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
    return { seconds: figure('process_cpu_seconds_total'), bytes: figure('process_resident_memory_bytes') }
  }
  try {
    await delay(WARM * 1000)
    const { seconds } = await read()
    await delay(MEASURED * 1000)
    const after = await read()
    const processor = (after.seconds - seconds) / MEASURED
    process.stdout.write(
      `${role} under Node ${process.version}: ${(processor * 100).toFixed(2)} % of a core, ${Math.round(after.bytes / 1e6)} MB\n`,
    )
    return { processor, bytes: after.bytes }
  } finally {
    await server.end('SIGTERM')
  }
}

test.skipIf(url === '').each(['web', 'worker'] as const)(
  'a process at rest on PostgreSQL, %s, takes at most a hundredth of a core and 120 MB',
  { timeout: 10 * 60_000 },
  async (role) => {
    const storage = await emptyDatabase(url)
    try {
      const { processor, bytes } = await atRest(storage, role)
      expect(processor).toBeLessThanOrEqual(PROCESSOR)
      expect(bytes).toBeLessThanOrEqual(MEMORY)
    } finally {
      await storage.remove()
    }
  },
)

test(
  'a process at rest with the embedded database takes at most a hundredth of a core and 420 MB',
  { timeout: 10 * 60_000 },
  async () => {
    const storage = await readyFolder()
    try {
      const { processor, bytes } = await atRest(storage, 'all')
      expect(processor).toBeLessThanOrEqual(PROCESSOR)
      expect(bytes).toBeLessThanOrEqual(MEMORY + EMBEDDED)
    } finally {
      await storage.remove()
    }
  },
)
