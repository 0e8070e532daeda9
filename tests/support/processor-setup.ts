import { afterAll } from 'vitest'
import { processorSecondsSince } from './processor-seconds.mjs'

declare module 'vitest' {
  interface TaskMeta {
    /** Of a file: its worker's seconds of processor time, and those of all that the worker started. */
    processorSeconds?: number
  }
}

// Vitest runs hooks after the tests in reverse, so this one, of the first setup file, is the last of a test file.
// oxlint-disable-next-line no-empty-pattern -- Vitest reads the fixtures' names from the pattern
afterAll(({}, file) => {
  file.meta.processorSeconds = processorSecondsSince()
})
