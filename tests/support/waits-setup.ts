import { vi } from 'vitest'

const { waitFor } = vi
/** Milliseconds. Vitest's own second decides nothing about the product where a busy machine takes longer; more ends a test that hangs. */
const LONGEST_WAIT = 15_000

vi.waitFor = (callback, options = {}) =>
  waitFor(callback, { timeout: LONGEST_WAIT, ...(typeof options === 'number' ? { timeout: options } : options) })
