import { allBudgets, compareBudgets, linesOf, storeValues } from './support/budgets.mjs'
import { BELOW, partsOf, projectsOf } from './times-report.mjs'

/** @typedef {import('./support/budgets.mjs').Measurement} Measurement */
/** @typedef {import('./times-report.mjs').Layer} Layer */

/**
 * A run's counts of itself: tests of each project and end to end, starts, and each layer's processor time in calibration
 * loops. Those that have no line are left out.
 *
 * @param {readonly Layer[]} layers
 * @param {number} loop seconds of processor time
 * @returns {Measurement[]}
 */
export function measurementsOf(layers, loop) {
  /** @param {import('./support/starts.mjs').Kind} kind */
  const started = (kind) => layers.reduce((total, { starts }) => total + starts[kind], 0)
  const all = [
    ...projectsOf(layers).map(({ name, tests }) => ({ name: `tests of ${name}`, value: tests })),
    ...layers
      .filter(({ name }) => name !== BELOW)
      .map(({ name, tally }) => ({
        name: `tests of ${name}`,
        value: tally.files.reduce((total, { tests }) => total + tests, 0),
      })),
    { name: 'servers started', value: started('server') },
    { name: 'browsers started', value: started('browser') },
    { name: 'databases made', value: started('database') },
    { name: 'databases made, with PostgreSQL', value: started('database') },
    ...partsOf(layers).map(({ name, seconds }) => ({
      name: `processor time of ${name}, loops`,
      value: Number((seconds / loop).toFixed(1)),
    })),
  ]
  const known = new Set(allBudgets().map(({ name }) => name))
  return all.filter(({ name }) => known.has(name))
}

/**
 * Compares what a run has measured with tests/budgets.json, prints what is scarce, and keeps the values for `npm run budgets`.
 *
 * @param {readonly Measurement[]} measurements
 * @param {readonly import('./support/budgets.mjs').Run[]} runs
 * @returns {import('./tally.mjs').Tally} one check a line
 */
export function budgetsTally(measurements, runs) {
  const budgets = allBudgets()
  const { faults, scarce, within } = compareBudgets(budgets, measurements, runs)
  const ofThisRun = new Set(linesOf(budgets, runs).map(({ name }) => name))
  storeValues(measurements.filter(({ name }) => ofThisRun.has(name)))
  for (const fault of faults) console.error(fault)
  if (scarce.length > 0) console.log(`Less than a tenth is left of:\n${scarce.map((line) => `  ${line}`).join('\n')}`)
  return { passed: within, failed: faults.length, skipped: 0, again: 0, accounts: faults, files: [] }
}
