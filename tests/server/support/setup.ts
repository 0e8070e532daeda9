import { afterEach, vi } from 'vitest'
import './password-cost'

// Of the tests without a document, as tests/ui/support/setup.ts of those with one.
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})
