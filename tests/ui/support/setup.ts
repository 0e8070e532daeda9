// Dexie looks for IndexedDB when it is first imported, so this has to come before every test file.
import 'fake-indexeddb/auto'
import { afterEach } from 'vitest'

// Tests without a document have no components and need not load them.
if (typeof document !== 'undefined') {
  const { cleanup, configure } = await import('@testing-library/react')
  // On a busy machine what is waited for comes late; nothing waits longer than it takes.
  configure({ asyncUtilTimeout: 15_000 })
  afterEach(cleanup)
}
