// Dexie looks for IndexedDB when it is first imported, so this has to come before every test file.
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { endTest } from './end-test'
import { noteReports, unexpectedReports } from './reports'

/** Unmounts a test's components. Tests without a document have none and need not load them. */
let unmount = () => undefined as void
// React makes a task of the debugger's for every element where the console has tasks, and here no debugger looks.
Reflect.deleteProperty(console, 'createTask')
if (typeof document !== 'undefined') {
  const { cleanup, configure } = await import('@testing-library/react')
  // On a busy machine what is waited for comes late; nothing waits longer than it takes.
  configure({ asyncUtilTimeout: 15_000 })
  unmount = cleanup
}

beforeEach(noteReports)
// Vitest runs this file before every test file, a module that several of them import once: what all tests need stands here.
afterEach(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  unmount()
  await endTest()
  vi.unstubAllGlobals()
  expect(unexpectedReports(), 'errors that the page reported').toEqual([])
})
