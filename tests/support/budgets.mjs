import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * A line of tests/budgets.json. `today`: its value when the line was last changed; `run`: the only run that measures it, else
 * `npm test` and `npm run test:full` both do.
 *
 * @typedef {{ name: string, limit: number, today: number, why: string, run?: Run }} Budget
 * @typedef {'npm test' | 'npm test without PostgreSQL' | 'npm test with PostgreSQL' | 'npm run test:full'} Run
 */
/** @typedef {{ name: string, value: number }} Measurement */
/** The last value of each line that some run has measured, and when. @typedef {Record<string, { value: number, at: string }>} LastValues */

const budgetsFile = join(import.meta.dirname, '../budgets.json')
const lastValuesFile = join(import.meta.dirname, '../../node_modules/.cache/budgets/last-values.json')
/** Lines of which less is left are told on every run. */
const TENTH = 0.1

/** @returns {Budget[]} */
export const allBudgets = () => JSON.parse(readFileSync(budgetsFile, 'utf8'))

/** @param {string} name @returns {Budget} */
export function budgetOf(name) {
  const budget = allBudgets().find((line) => line.name === name)
  if (budget === undefined) throw new Error(`tests/budgets.json has no line "${name}".`)
  return budget
}

/**
 * Holds a count against its line in tests/budgets.json, and writes it into the file that BUDGETS_FILE names, from which the
 * run says what is left. Of several values of one name the highest counts.
 *
 * @param {string} name
 * @param {number} value
 */
export function measured(name, value) {
  const file = process.env.BUDGETS_FILE
  if (file !== undefined && file !== '') appendFileSync(file, `${JSON.stringify({ name, value })}\n`)
  const { limit } = budgetOf(name)
  if (!(value <= limit)) throw new Error(`${name}: ${value} is beyond ${limit}, its limit in tests/budgets.json.`)
}

/** @param {string} file one that BUDGETS_FILE named @returns {Measurement[]} */
export const measurementsIn = (file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

/** The highest value of each name. @param {readonly Measurement[]} measurements @returns {Map<string, number>} */
export function highest(measurements) {
  /** @type {Map<string, number>} */
  const values = new Map()
  for (const { name, value } of measurements) values.set(name, Math.max(value, values.get(name) ?? value))
  return values
}

/** The lines that a run measures. @param {readonly Budget[]} budgets @param {readonly Run[]} runs what the run is */
export const linesOf = (budgets, runs) => budgets.filter(({ run }) => run === undefined || runs.includes(run))

/**
 * @param {readonly Budget[]} budgets
 * @param {readonly Measurement[]} measurements of one run
 * @param {readonly Run[]} runs what that run was: lines of others are left out
 * @returns {{ faults: string[], scarce: string[], within: number }} what fails the run; lines of which less than a tenth is
 *   left; how many were kept to
 */
export function compareBudgets(budgets, measurements, runs) {
  const values = highest(measurements)
  const compared = linesOf(budgets, runs).map(({ name, limit }) => ({ name, limit, value: values.get(name) }))
  const beyond = compared.filter(({ value, limit }) => value !== undefined && !(value <= limit))
  const unmeasured = compared.filter(({ value }) => value === undefined)
  const unknown = [...values].filter(([name]) => !budgets.some((line) => line.name === name))
  const within = compared.filter(({ value, limit }) => value !== undefined && value <= limit)
  return {
    faults: [
      ...beyond.map(({ name, value, limit }) => `${name}: ${value} is beyond its limit of ${limit}`),
      ...unmeasured.map(({ name }) => `${name}: nothing measured it in this run`),
      ...unknown.map(([name, value]) => `${name}: ${value} was measured, and tests/budgets.json has no such line`),
    ],
    scarce: within
      .filter(({ value = 0, limit }) => limit > 0 && left(value, limit) < TENTH)
      .map(
        ({ name, value = 0, limit }) =>
          `${name}: ${rounded(limit - value)} left of ${limit} (${percent(value, limit)})`,
      ),
    within: within.length,
  }
}

/** @param {number} value @param {number} limit */
const left = (value, limit) => (limit === 0 ? 0 : (limit - value) / limit)
/** @param {number} value */
const rounded = (value) => Number(value.toFixed(2))
/** The part of a limit that is left. @param {number} value @param {number} limit */
export const percent = (value, limit) => `${(left(value, limit) * 100).toFixed(1)} %`

/** @returns {LastValues} */
export function lastValues() {
  try {
    return JSON.parse(readFileSync(lastValuesFile, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw error
  }
}

/** @param {readonly Measurement[]} measurements of a run that has just ended */
export function storeValues(measurements) {
  const at = new Date().toISOString()
  const now = [...highest(measurements)].map(([name, value]) => [name, { value, at }])
  mkdirSync(dirname(lastValuesFile), { recursive: true })
  writeFileSync(lastValuesFile, JSON.stringify({ ...lastValues(), ...Object.fromEntries(now) }, null, 1))
}
