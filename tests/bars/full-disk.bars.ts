import { expect, test } from 'vitest'
import { fullDiskRounds, smallDisk } from '../server/support/full-disk-rounds'
import { seeded } from '../server/support/seeded'

/** Twenty times for a minute; a file system of its own has to be mounted, which takes root on Linux. */
const ROUNDS = Number(process.env['FULL_DISK_ROUNDS'] ?? 20)
const SECONDS = Number(process.env['FULL_DISK_SECONDS'] ?? 60)
const SERVING_AGAIN = 15_000

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)

test('a disk that is full for a minute at a random moment, again and again, costs the embedded database no acknowledged row, and the server serves again within 15 s', async ({
  skip,
}) => {
  const disk = smallDisk()
  if (disk === null) return skip('a file system of its own cannot be mounted here')
  const log = (line: string) => process.stdout.write(`${line}\n`)
  try {
    const report = await fullDiskRounds(disk.path, { rounds: ROUNDS, seconds: SECONDS, random: seeded(seed), log })
    log(`seed ${seed}: ${JSON.stringify(report)}`)
    expect(report.lost).toEqual([])
    expect(report.restarts).toBeGreaterThan(0)
    expect(report.slowest).toBeLessThan(SERVING_AGAIN)
  } finally {
    disk.remove()
  }
})
