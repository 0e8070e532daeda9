// Dexie looks for IndexedDB when it is first imported, so this has to come before every test file.
import 'fake-indexeddb/auto'
import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// On a busy machine what is waited for comes late; nothing waits longer than it takes.
configure({ asyncUtilTimeout: 15_000 })
afterEach(cleanup)
