import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measurementsIn } from './support/budgets.mjs'
import { calibrationLoop } from './support/calibration.mjs'
import { processorSeconds } from './support/processor-seconds.mjs'
import { startsIn } from './support/starts.mjs'
import { single } from './tally.mjs'

/** @typedef {import('./tally.mjs').Tally} Tally */

/** A run of layers, one after the other, and a folder for what their programs report and count, which the caller removes. */
export function newTestRun() {
  const folder = mkdtempSync(join(tmpdir(), 'test-reports-'))
  const startsFile = join(folder, 'starts')
  writeFileSync(startsFile, '')
  process.env.STARTS_FILE = startsFile
  const measurements = join(folder, 'measurements')
  writeFileSync(measurements, '')
  process.env.BUDGETS_FILE = measurements
  /** @type {import('./times-report.mjs').Layer[]} */
  const layers = []
  /** Lengths of the calibration loop before each layer: a machine is not as quick all the time. @type {number[]} */
  const loops = []

  /**
   * @param {string} name
   * @param {() => Tally | Promise<Tally>} run
   */
  async function layer(name, run) {
    console.log(`\n=== ${name}`)
    loops.push(calibrationLoop())
    const before = { processor: processorSeconds(), starts: startsIn(startsFile), clock: performance.now() }
    let tally
    try {
      tally = await run()
    } catch (error) {
      console.error(error)
      tally = single(false)
    }
    const starts = startsIn(startsFile)
    layers.push({
      name,
      tally,
      seconds: (performance.now() - before.clock) / 1000,
      // A browser's processes that end unwaited for take their seconds along, after their test has counted them.
      processor: Math.max(processorSeconds() - before.processor, processorOf(tally)),
      starts: {
        server: starts.server - before.starts.server,
        browser: starts.browser - before.starts.browser,
        database: starts.database - before.starts.database,
      },
    })
  }
  /** Seconds, the mean of the run. */
  const loop = () => loops.reduce((a, b) => a + b, 0) / loops.length
  return { folder, layers, layer, loop, measured: () => measurementsIn(measurements) }
}

/** @param {Tally} tally */
const processorOf = ({ files }) => files.reduce((seconds, { processor }) => seconds + processor, 0)
