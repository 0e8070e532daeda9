import { writeFileSync } from 'node:fs'
import { account, layerOf } from './tally.mjs'

/** @typedef {import('vitest/node').TestModule} TestModule */
/** @typedef {{ message?: string, stack?: string, cause?: unknown, VITEST_TEST_PATH?: string, VITEST_TEST_NAME?: string }} Wrong */

/** @param {Wrong} error @returns {string} */
const withCause = ({ stack, message, cause }) => {
  const own = stack ?? message ?? ''
  return typeof cause === 'object' && cause !== null ? `${own}\nCaused by ${withCause(cause)}` : own
}
/** @param {readonly Wrong[] | undefined} errors */
const told = (errors = []) => errors.map(withCause).join('\n')

/** @param {TestModule} module @returns {string[]} of what stands around the tests: loading the file, hooks of a suite. */
const around = (module) =>
  [module, ...module.children.allSuites()].flatMap((suite) => {
    const name = 'fullName' in suite ? `${module.relativeModuleId} › ${suite.fullName}` : module.relativeModuleId
    return suite.errors().map((error) => account(`around the tests of ${name}`, told([error])))
  })

/** @param {import('vitest/node').TestCase} test @returns {string[]} */
function failed(test) {
  const { errors } = test.result()
  const again = test.ok() ? ', which passed at the second try' : ''
  const name = `${test.module.relativeModuleId} › ${test.fullName}${again}`
  return errors === undefined || errors.length === 0 ? [] : [account(name, told(errors))]
}

/**
 * Seconds that the worker spent on a file (loading it, making its environment, running hooks and tests), and its seconds of
 * processor time by `support/processor-setup.ts`.
 *
 * @param {TestModule} module
 */
function timed(module) {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic()
  const milliseconds = environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration
  const { processorSeconds: processor = 0 } = /** @type {{ processorSeconds?: number }} */ (module.meta())
  const tests = [...module.children.allTests()].filter((test) => test.result().state !== 'skipped').length
  const file = module.relativeModuleId
  return { layer: layerOf(file, module.project.name), file, seconds: milliseconds / 1000, processor, tests }
}

/**
 * Vitest's reporter that writes the tally of a run into the file that TALLY_FILE names. Errors outside of the tests are
 * among it, each of which fails the run: a hook that throws, a rejection that nobody awaits.
 */
export default class TallyReporter {
  /**
   * @param {readonly TestModule[]} modules
   * @param {readonly Wrong[]} unhandled
   */
  onTestRunEnd(modules, unhandled) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    /** @param {string} state */
    const inState = (state) => tests.filter((test) => test.result().state === state).length
    const outside = [
      ...modules.flatMap(around),
      ...unhandled.map((error) => {
        const { VITEST_TEST_PATH: file = 'no file', VITEST_TEST_NAME: test = 'no test' } = error
        return account(`outside of the tests, in ${file}, in or after ${test}`, told([error]))
      }),
    ]
    /** @type {import('./tally.mjs').Tally} */
    const tally = {
      passed: inState('passed'),
      failed: inState('failed') + outside.length,
      skipped: inState('skipped'),
      again: tests.filter((test) => test.diagnostic()?.flaky).length,
      accounts: [...outside, ...tests.flatMap(failed)],
      // A file that has no test for this run was read, and nothing else.
      files: modules.map(timed).filter(({ seconds }) => seconds > 0),
    }
    writeFileSync(process.env.TALLY_FILE ?? 'tally.json', JSON.stringify(tally))
  }
}
