// Dexie looks for IndexedDB when it is first imported, so this has to come before every test file.
import 'fake-indexeddb/auto'
import { cleanup } from '@testing-library/react'
import { afterEach } from 'vitest'

afterEach(cleanup)
