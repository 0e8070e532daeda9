import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { Router } from 'wouter'
import { describe, expect, test, vi } from 'vitest'
import { backtest } from '../../../src/domain/backtest'
import { DAY, HOUR } from '../../../src/domain/granularity'
import type { CoinId } from '../../../src/domain/ids'
import { BacktestCard } from '../../../src/features/chart/backtest/backtest-card'
import {
  backtestFacts,
  backtestSentence,
  gainWords,
  pairsWalkSentence,
  readCost,
  walkSentence,
  writeCost,
} from '../../../src/features/chart/backtest/backtest-words'
import type { Tested } from '../../../src/features/chart/backtest/use-backtest'
import { type Services, ServicesContext } from '../../../src/state/services'
import type { ChartReady, OnSlice, PairsWalk, WalkAnswer, WorkerApi } from '../../../workers/api'

const SYMBOLS = { a: 'SOL', b: 'BTC' }
const WALK: WalkAnswer = {
  period: '1m',
  from: 0,
  until: 365 * DAY,
  swaps: 4,
  gain: 0.012,
  late: 0.004,
  k: { high: 1, low: 1 },
}
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
    expect(backtestFacts(rotated([10, 12, 16, 8, 10, 12]), SYMBOLS, true)).toEqual([
      { name: 'Swaps', value: '3' },
      { name: 'Rotating would have left', value: 'between 1.2000 and 1.5000 SOL, or between 14.400 and 18.000 BTC' },
      { name: 'Holding SOL', value: '1.0000 SOL, or 12.000 BTC' },
      { name: 'Holding BTC', value: '0.83333 SOL, or 10.000 BTC' },
      { name: 'Between swaps (median)', value: '2 days' },
      { name: 'Longest without a swap', value: '2 days' },
      { name: 'Deepest fall, in SOL', value: '25.0\u00A0%' },
    ])
  })

  test('a gain is told as a range down to that of swaps a point later, with the way of each end where they differ', () => {
    expect([gainWords(0.012), gainWords(-0.03), gainWords(0.0004, -0.0004)]).toEqual([
      '1.2\u00A0% more',
      '3.0\u00A0% less',
      'as much',
    ])
    expect([gainWords(0.012, 0.004), gainWords(-0.03, -0.041), gainWords(0.012, -0.003)]).toEqual([
      'between 0.4 and 1.2\u00A0% more',
      'between 3.0 and 4.1\u00A0% less',
      'between 0.3\u00A0% less and 1.2\u00A0% more',
    ])
  })

  test('a walk names the days that its lines were drawn from, and fewer than five round trips as too few', () => {
    const walk = { ...WALK, period: '3m', late: 0.012 } as const
    expect(walkSentence(walk, '3m', 0, SYMBOLS)).toBe(
      'With lines drawn from the 90 days before each month: 1.2\u00A0% more SOL, 4 swaps, too few to tell.',
    )
    expect(walkSentence({ ...walk, period: '1y', from: 60 * DAY, swaps: 10 }, '1y', 0, SYMBOLS)).toBe(
      'Over the last 305 days, with lines drawn from the 90 days before each month: 1.2\u00A0% more SOL, 10 swaps.',
    )
    expect(walkSentence({ ...walk, period: '7d' }, '7d', 0, SYMBOLS)).toContain(
      'drawn from the 2.1 days before each 17 hours',
    )
  })

  test('the period’s own lines are named hindsight, and without a fair test no gain is told', () => {
    const tested = rotated([10, 12, 8])
    const hindsight = 'With today’s lines, which know these days'
    expect(backtestSentence(rotated([10, 12.5, 12, 7]), 'thresholds', true)).toBe(
      `${hindsight}: 50.0\u00A0% more, 2 swaps.`,
    )
    expect(backtestSentence(tested, 'thresholds', false)).toBe(`${hindsight}: 2 swaps.`)
    expect(backtestSentence(rotated([10, 11, 9]), 'bands', true)).toBe(
      'At the chart’s bands, each as it was a point before: no swap.',
    )
    expect(backtestFacts(tested, SYMBOLS, false).map(({ name }) => name)).toEqual([
      'Swaps',
      'Between swaps (median)',
      'Longest without a swap',
    ])
  })

  test('a walk over all pairs is told with its rule, median, share and number', () => {
    const walk: PairsWalk = { pairs: 4720, days: 275, median: -0.003, above: 0.482 }
    expect(pairsWalkSentence(walk, { high: 1.3, low: 0.9 })).toBe(
      'The same rule, +1.3σ and −0.9σ, over 275 days of 4720 pairs, each both ways round: 0.3\u00A0% less (median), more in 48\u00A0% of them.',
    )
  })

  test('spans are hours below two days, with a decimal while they are few', () => {
    const tested = rotated([10, 12, 8])
    const median = (medianWait: number) =>
      backtestFacts({ ...tested, medianWait }, SYMBOLS, true).find(({ name }) => name === 'Between swaps (median)')
        ?.value
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
  const chart = { from: 0, times: times(4), ratio: Float64Array.of(10, 12.5, 12, 7) } as unknown as ChartReady

  function show(values: Partial<Tested> = {}, worker: Partial<WorkerApi> = {}, ranked: number | null = 100) {
    const choose = vi.fn()
    const api = { walk: () => Promise.resolve(WALK), ...worker }
    // As Dexie, of which the card reads the stored list of coins.
    const ranks = [
      { id: 'bitcoin', market_cap_rank: 1 },
      ...(ranked === null ? [] : [{ id: 'solana', market_cap_rank: ranked }]),
    ]
    const call = vi.fn()
    const db = { meta: { get: () => Promise.resolve({ value: { coins: ranks, fetched_at: 0 } }) } }
    const services = { worker: () => api, engine: { call }, commands: { db } } as unknown as Services
    const tested: Tested = {
      isKnown: true,
      choices: { isOpen: true, swapAt: 'thresholds', marks: true },
      cost: 0.003,
      choose,
      missing: null,
      lines: { high: 12, low: 8 },
      result: rotated([10, 12.5, 12, 7]),
      swaps: undefined,
      ...values,
    }
    render(
      <Router ssrPath="/">
        <ServicesContext value={services}>
          <BacktestCard pair={pair} period="1m" chart={chart} tested={tested} />
        </ServicesContext>
      </Router>,
    )
    return { choose, call }
  }

  test('a closed backtest shows its heading alone, and opens by it', () => {
    const { choose } = show({ choices: { isOpen: false, swapAt: 'thresholds', marks: true }, result: null })
    const toggle = screen.getByRole('button', { name: /Backtest/, expanded: false })
    expect(screen.queryByText('Past swings promise nothing.', { exact: false })?.closest('[hidden]')).not.toBeNull()
    fireEvent.click(toggle)
    expect(choose).toHaveBeenCalledWith({ isOpen: true })
  })

  test('an open backtest says first what lines drawn before led to, then what today’s did, and promises nothing', async () => {
    show()
    await screen.findByText(/Test a year/)
    const text = document.body.textContent
    const forward = text.indexOf('between 0.4 and 1.2\u00A0% more SOL, 4 swaps, too few to tell.')
    expect(forward).toBeGreaterThan(0)
    expect(text.indexOf('which know these days: 50.0\u00A0% more, 2 swaps.')).toBeGreaterThan(forward)
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      expect.stringMatching(/^SOL → BTC at 12\.0000, /),
      expect.stringMatching(/^BTC → SOL at 8\.0000, /),
    ])
    expect(text).toContain('Past swings promise nothing.')
    expect(text).not.toMatch(/\b(will|should|recommend)\b/i)
  })

  test('without a fair test neither a gain nor an amount is shown, and the next longer period is asked for', async () => {
    const { call } = show({}, { walk: () => Promise.resolve(null) })
    await screen.findByText('Not enough past for a fair test.')
    expect(document.body.textContent).not.toMatch(/\d\u00A0%|would have left/)
    expect(call.mock.calls).toEqual(['solana', 'bitcoin'].map((id) => ['historical', { id, period: '3m' }]))
  })

  test('a year of closes that was walked in place of the period is named, beside no gain of the period', async () => {
    show({}, { walk: () => Promise.resolve({ ...WALK, period: '1y', from: 90 * DAY }) })
    await screen.findByText(
      'Not enough past for a fair test of this period. Over 275 days of daily closes, with lines drawn from the 90 days before each month: between 0.4 and 1.2 % more SOL, 4 swaps, too few to tell.',
    )
    expect(document.body.textContent).toContain('which know these days: 2 swaps.')
    expect(document.body.textContent).not.toContain('would have left')
  })

  test('a walk over all pairs shows its progress, can be cancelled, and ends in a sentence', async () => {
    const walks: { onSlice: OnSlice; end: (walk: PairsWalk) => void }[] = []
    const walkPairs: WorkerApi['walkPairs'] = (_, onSlice) => new Promise((end) => walks.push({ onSlice, end }))
    show({}, { walkPairs })
    fireEvent.click(await screen.findByRole('button', { name: 'Test a year of all pairs' }))
    await waitFor(async () => expect(await walks[0]!.onSlice(100, 400)).toBe(true))
    const bar = screen.getByRole('progressbar', { name: 'Pairs tested' })
    await waitFor(() => expect(bar.getAttribute('value')).toBe('0.25'))
    const cancel = screen.getByRole('button', { name: 'Cancel' })
    fireEvent.click(cancel)
    expect(cancel.textContent).toBe('Test a year of all pairs')
    expect(await walks[0]!.onSlice(200, 400)).toBe(false)
    fireEvent.click(screen.getByRole('button', { name: 'Test a year of all pairs' }))
    await waitFor(() => expect(walks).toHaveLength(2))
    walks[1]!.end({ pairs: 400, days: 275, median: 0, above: 0.5 })
    await screen.findByText(/over 275 days of 400 pairs, .* as much \(median\), more in 50/)
  })

  test('without both thresholds the bands are tested, and the reason is said in place of the choice', () => {
    show({ missing: 'not-both' })
    expect(screen.queryByRole('group', { name: 'Swap at' })).toBeNull()
    expect(document.body.textContent).toContain('your own thresholds can be tested once both are set')
  })

  test.each([
    ['within the best 100', 100, null],
    ['beyond the best 100', 101, 'Spreads of 1\u00A0% are common for SOL, beyond the best 100 coins by market cap.'],
    ['that is not listed', null, 'Spreads of 1\u00A0% are common for SOL, beyond the best 100 coins by market cap.'],
  ] as const)('beside the cost of a coin %s its spreads are named where they are wide', async (_, rank, words) => {
    show({}, {}, rank)
    const cost = screen.getByRole('textbox', { name: 'Cost of a swap (fee and spread), %' })
    const note = () => document.getElementById(cost.getAttribute('aria-describedby') ?? '')?.textContent ?? null
    await screen.findByText(/Test a year/)
    await waitFor(() => expect(note()).toBe(words))
  })

  test('a cost takes effect while it is typed, and nonsense keeps the last one and says what is taken', () => {
    const { choose } = show()
    const cost = screen.getByRole('textbox', { name: 'Cost of a swap (fee and spread), %' })
    fireEvent.change(cost, { target: { value: '0,5' } })
    expect(choose).toHaveBeenLastCalledWith({ cost: 0.005 })
    fireEvent.change(cost, { target: { value: '50' } })
    expect(choose).toHaveBeenCalledTimes(1)
    expect(screen.getByRole('alert').textContent).toBe('A number from 0 to 5, such as 0.3')
  })
})
