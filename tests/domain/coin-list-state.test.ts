import { expect, test } from 'vitest'
import { coinListState, noCoinsText } from '../../src/domain/coin-list-state'

const quiet = { problems: {}, unreachable_since: null }

test.each([
  ['an answer is awaited', quiet, true, 'loading'],
  ['nothing was asked yet', undefined, true, 'loading'],
  ['the server has refused the list', { ...quiet, problems: { coins: 'No.' } }, true, 'failed'],
  ['the request for the list had no answer', { ...quiet, unanswered: { coins: true as const } }, true, 'failed'],
  ['the server cannot be reached', { ...quiet, unreachable_since: 1 }, true, 'failed'],
  ['the browser is offline', quiet, false, 'failed'],
] as const)('without a coin list, the list of coins is as it should be while %s', (_, sync, online, state) => {
  expect(coinListState(false, sync, online)).toBe(state)
  expect(coinListState(true, sync, online)).toBe('loaded')
})

test('an empty list of coins says that it loads, could not be loaded, or has no match', () => {
  expect(noCoinsText('loading', 0, 'x')).toBe('Loading coins…')
  expect(noCoinsText('failed', 0, 'x')).toBe('Could not load coins or list is empty.')
  expect(noCoinsText('loaded', 0, 'x')).toBe('Could not load coins or list is empty.')
  expect(noCoinsText('loaded', 3, 'x')).toBe('No matches found for "x"')
})
