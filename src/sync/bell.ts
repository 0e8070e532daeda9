import type { Bell } from './drain'

/** A bell that wakes everyone who waits for its next ring. */
export function createBell(): Bell & { readonly ring: () => void } {
  let wake: () => void = () => undefined
  let next = new Promise<void>((resolve) => (wake = resolve))
  return {
    next: () => next,
    ring() {
      wake()
      next = new Promise((resolve) => (wake = resolve))
    },
  }
}
