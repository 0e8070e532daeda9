import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const seen: { report: (isIntersecting: boolean, ...targets: Element[]) => void; unobserve: Element[] } = {
  report: () => undefined,
  unobserve: [],
}
const ends: (() => void)[] = []

// The module keeps one observer for the page, which the first follower makes: in a worker's modules that may be another file's.
vi.resetModules()
const { followInSight } = await import('../../../src/features/widget-card/in-sight')

class Observer {
  constructor(callback: (entries: { target: Element; isIntersecting: boolean }[]) => void) {
    seen.report = (isIntersecting, ...targets) => callback(targets.map((target) => ({ target, isIntersecting })))
  }
  observe(): void {}
  unobserve(target: Element): void {
    seen.unobserve.push(target)
  }
}

beforeEach(() => {
  vi.stubGlobal('IntersectionObserver', Observer)
  vi.useFakeTimers()
})
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** A figure in a card, which counts how often it is updated and whether it follows every change. */
function follower(card = document.createElement('article')) {
  const figure = document.createElement('span')
  card.append(figure)
  const state = { card, updates: 0, isFollowing: false, end: () => undefined as void }
  state.end = followInSight(figure, {
    update: () => (state.updates += 1),
    subscribe: () => {
      state.isFollowing = true
      return () => (state.isFollowing = false)
    },
  })
  ends.push(() => state.end())
  return state
}

test('a figure out of sight is brought up to date every five seconds, and at once when it comes into sight', () => {
  const one = follower()
  expect(one.isFollowing).toBe(true)
  seen.report(false, one.card)
  expect(one.isFollowing).toBe(false)
  vi.advanceTimersByTime(15_000)
  expect(one.updates).toBe(3)
  seen.report(true, one.card)
  expect([one.updates, one.isFollowing]).toEqual([4, true])
  vi.advanceTimersByTime(60_000)
  expect(one.updates).toBe(4)
  expect(vi.getTimerCount()).toBe(0)
})

test('figures out of sight are not updated while the page is hidden', () => {
  const one = follower()
  seen.report(false, one.card)
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  vi.advanceTimersByTime(60_000)
  expect(one.updates).toBe(0)
})

test('a card that goes while it is out of sight is watched no more', () => {
  const one = follower()
  const other = follower(one.card)
  seen.report(false, one.card)
  one.end()
  expect(seen.unobserve).not.toContain(one.card)
  other.end()
  expect(seen.unobserve).toContain(one.card)
  vi.advanceTimersByTime(60_000)
  expect([one.updates, other.updates]).toEqual([0, 0])
})

test('no timer is left when the last figure out of sight goes with its card', () => {
  const one = follower()
  seen.report(false, one.card)
  expect(vi.getTimerCount()).toBe(1)
  one.end()
  expect(vi.getTimerCount()).toBe(0)
})
