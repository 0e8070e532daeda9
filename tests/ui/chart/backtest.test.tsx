import { fireEvent, render, screen } from '@testing-library/react'
import { Router } from 'wouter'
import { describe, expect, test, vi } from 'vitest'
import { backtest } from '../../../src/domain/backtest'
import { DAY, HOUR } from '../../../src/domain/granularity'
import type { CoinId } from '../../../src/domain/ids'
import { BacktestCard } from '../../../src/features/chart/backtest/backtest-card'
import {
  backtestFacts,
  backtestSentence,
  readCost,
  writeCost,
} from '../../../src/features/chart/backtest/backtest-words'
import type { Tested } from '../../../src/features/chart/backtest/use-backtest'
import type { ChartReady } from '../../../workers/api'

const SYMBOLS = { a: 'SOL', b: 'BTC' }
const times = (count: number) => Float64Array.from({ length: count }, (_, day) => day * DAY)
const rotated = (ratios: readonly number[], cost = 0) =>
  backtest({
    times: times(ratios.length),
    ratios: Float64Array.from(ratios),
    levels: { kind: 'thresholds', high: 12, low: 8 },
    cost,
  })!

describe('a backtest in words', () => {
  test('the facts of a backtest name swaps, amounts in both coins, waits and the deepest fall', () => {
    expect(backtestFacts(rotated([10, 12, 16, 8, 10, 12]), SYMBOLS)).toEqual([
      { name: 'Swaps', value: '3' },
      { name: 'Rotating would have left', value: 'between 1.2000 and 1.5000 SOL, or between 14.400 and 18.000 BTC' },
      { name: 'Holding SOL', value: '1.0000 SOL, or 12.000 BTC' },
      { name: 'Holding BTC', value: '0.83333 SOL, or 10.000 BTC' },
      { name: 'Between swaps (median)', value: '2 days' },
      { name: 'Longest without a swap', value: '2 days' },
      { name: 'Deepest fall, in SOL', value: '25.0\u00A0%' },
    ])
  })

  test('the sentence compares rotating with holding, in the conditional of the past', () => {
    expect(backtestSentence(rotated([10, 12, 8]), SYMBOLS)).toBe(
      '2 swaps would have left 50.0\u00A0% more SOL than holding it.',
    )
    expect(backtestSentence(rotated([10, 12, 16]), SYMBOLS)).toBe(
      'One swap would have left 25.0\u00A0% less SOL than holding it.',
    )
    expect(backtestSentence(rotated([10, 11, 9]), SYMBOLS)).toContain('nothing would have been swapped')
    expect(backtestSentence(rotated([11, 12.0001]), SYMBOLS)).toBe(
      'One swap would have left as much SOL as holding it.',
    )
  })

  test('spans are hours below two days, with a decimal while they are few', () => {
    const tested = rotated([10, 12, 8])
    const median = (medianWait: number) =>
      backtestFacts({ ...tested, medianWait }, SYMBOLS).find(({ name }) => name === 'Between swaps (median)')?.value
    expect([HOUR, 5.25 * HOUR, 47 * HOUR, 2 * DAY, 9.04 * DAY, 38.2 * DAY].map(median)).toEqual([
      '1 hour',
      '5.3 hours',
      '47 hours',
      '2 days',
      '9 days',
      '38 days',
    ])
  })

  test('a cost is read with a point or a comma, with or without a sign, and refused beyond the largest', () => {
    expect(['0.2', '0,2', ' .2 % ', '0', '5', '1.'].map((text) => readCost(text, 0.05))).toEqual([
      0.002, 0.002, 0.002, 0, 0.05, 0.01,
    ])
    expect(['', '-1', '5.01', '1e1', 'abc', '1,000.5'].map((text) => readCost(text, 0.05))).toEqual(Array(6).fill(null))
    expect([writeCost(0.002), writeCost(0.00075)]).toEqual(['0.2', '0.075'])
  })
})

describe('backtest below the chart', () => {
  const coin = (id: string, symbol: string) => ({ id: id as CoinId, symbol, name: id, image: null })
  const pair = { coinA: coin('solana', 'SOL'), coinB: coin('bitcoin', 'BTC') }
  const chart = { times: times(3), ratio: Float64Array.of(10, 12.5, 7) } as unknown as ChartReady

  function show(values: Partial<Tested> = {}) {
    const choose = vi.fn()
    const tested: Tested = {
      isKnown: true,
      choices: { isOpen: true, swapAt: 'thresholds', marks: true },
      cost: 0.003,
      choose,
      missing: null,
      result: rotated([10, 12, 8]),
      swaps: undefined,
      ...values,
    }
    render(
      <Router ssrPath="/">
        <BacktestCard pair={pair} chart={chart} tested={tested} />
      </Router>,
    )
    return choose
  }

  test('a closed backtest shows its heading alone, and opens by it', () => {
    const choose = show({ choices: { isOpen: false, swapAt: 'thresholds', marks: true }, result: null })
    const toggle = screen.getByRole('button', { name: /Backtest/, expanded: false })
    expect(screen.queryByText('Past swings promise nothing.', { exact: false })?.closest('[hidden]')).not.toBeNull()
    fireEvent.click(toggle)
    expect(choose).toHaveBeenCalledWith({ isOpen: true })
  })

  test('an open backtest says its result, lists its swaps and promises nothing', () => {
    show()
    expect(document.body.textContent).toContain('2 swaps would have left 50.0\u00A0% more SOL than holding it.')
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      expect.stringMatching(/^SOL → BTC at 12\.0000, /),
      expect.stringMatching(/^BTC → SOL at 8\.0000, /),
    ])
    expect(document.body.textContent).toContain('Past swings promise nothing.')
    expect(document.body.textContent).not.toMatch(/\b(will|should|recommend)\b/i)
  })

  test('without both thresholds the bands are tested, and the reason is said in place of the choice', () => {
    show({ missing: 'not-both' })
    expect(screen.queryByRole('group', { name: 'Swap at' })).toBeNull()
    expect(document.body.textContent).toContain('your own thresholds can be tested once both are set')
  })

  test('a cost takes effect while it is typed, and nonsense keeps the last one and says what is taken', () => {
    const choose = show()
    const cost = screen.getByRole('textbox', { name: 'Cost of a swap (fee and spread), %' })
    fireEvent.change(cost, { target: { value: '0,5' } })
    expect(choose).toHaveBeenLastCalledWith({ cost: 0.005 })
    fireEvent.change(cost, { target: { value: '50' } })
    expect(choose).toHaveBeenCalledTimes(1)
    expect(screen.getByRole('alert').textContent).toBe('A number from 0 to 5, such as 0.3')
  })
})
