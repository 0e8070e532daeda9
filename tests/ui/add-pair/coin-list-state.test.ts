import { expect, test } from 'vitest'
import { coinListState, noCoinsText } from '../../../src/features/add-pair/add-pair-dialog'

const quiet = { last_success_at: null, last_failure_at: null, problem: null, problems: {}, unreachable_since: null }

test.each([
  ['an answer is awaited', quiet, true, 'loading'],
  ['nothing was asked yet', undefined, true, 'loading'],
  ['the server has refused the list', { ...quiet, problems: { coins: 'No.' } }, true, 'failed'],
  ['the request for the list had no answer', { ...quiet, unanswered: { coins: true as const } }, true, 'failed'],
  ['the server cannot be reached', { ...quiet, unreachable_since: 1 }, true, 'failed'],
  ['the browser is offline', quiet, false, 'failed'],
] as const)('without a coin list, the list of coins is as it should be while %s', (_, sync, online, state) => {
  expect(coinListState(undefined, sync, online)).toBe(state)
  expect(coinListState({ coins: [] }, sync, online)).toBe('loaded')
})

test('an empty list of coins says that it loads, could not be loaded, or has no match', () => {
  expect(noCoinsText('loading', 0, 'x')).toBe('Loading coins…')
  expect(noCoinsText('failed', 0, 'x')).toBe('Could not load coins or list is empty.')
  expect(noCoinsText('loaded', 0, 'x')).toBe('Could not load coins or list is empty.')
  expect(noCoinsText('loaded', 3, 'x')).toBe('No matches found for "x"')
})
