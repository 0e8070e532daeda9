import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { Screen } from '../../../src/app/screen'
import type { CoinId } from '../../../src/domain/ids'
import { PairSheet } from '../../../src/features/chart/sheet/pair-sheet'
import { Toasts } from '../../../src/features/toasts/toasts'
import type { PairReport } from '../../../workers/api'
import { chartOf } from '../chart/charts'
import { historyResult } from '../chart/history-result'
import { stubCanvas } from '../chart/no-canvas'
import { coinNumber, seedCoins, seedLimit, seedPrices, seedWidgets, START, startLocalApp } from '../support/local-app'
import { openDialog } from '../support/open-dialog'
import { catchReports } from '../support/reports'

beforeEach(stubCanvas)

const report: PairReport = {
  ratio: 28,
  isLive: true,
  pricedAt: START,
  closesAge: null,
  lastDay: Math.floor(START / 86_400_000) - 1,
  commonDays: 365,
  windows: ([30, 90, 180, 365] as const).map((window) => ({
    window,
    days: window,
    mean: Math.log(25),
    deviation: 0.05,
    z: 2.3,
    percentile: 0.98,
    halfLife: 6,
    adf: -4,
    legs: null,
    leftOut: 0,
    verdict: 'swung',
    correlation: 0.8,
    highs: { count: 3, cameBack: 3, younger: 0, chance: null, medianDays: 5, worstMove: 0.04, isUnderWay: false },
    lows: null,
  })),
}

interface World {
  readonly pairReport?: PairReport | null | (() => Promise<PairReport | null>)
  /** The chart's ratios, the last at START. */
  readonly ratios?: readonly number[]
  readonly pair?: readonly [number | string, number | string]
  readonly widgets?: readonly (readonly [number, number])[]
  readonly limit?: number
}

async function openSheet({
  pairReport = report,
  ratios = [27, 28],
  pair = [0, 1],
  widgets = [],
  limit = 5,
}: World = {}) {
  const app = await startLocalApp({
    chart: () => Promise.resolve(chartOf(ratios, START)),
    pairReport: typeof pairReport === 'function' ? pairReport : () => Promise.resolve(pairReport),
  })
  app.answerCall('historical', () => historyResult(Promise.resolve()))
  await seedCoins(app, 4)
  await seedLimit(app, limit)
  if (widgets.length > 0)
    await seedWidgets(
      app,
      widgets.map(([a, b]) => [a, b] as [number, number]),
    )
  const idOf = (coin: number | string) => (typeof coin === 'number' ? coinNumber(coin).id : (coin as CoinId))
  const windows: number[] = []
  let closed = 0
  app.render(
    <Screen>
      <PairSheet
        coinA={idOf(pair[0])}
        coinB={idOf(pair[1])}
        period="3m"
        onPeriod={() => undefined}
        window={90}
        onWindow={(window) => windows.push(window)}
        onClose={() => (closed += 1)}
        turnedAround="/radar/b/a"
      />
      <Toasts />
    </Screen>,
  )
  return { app, windows, closed: () => closed }
}

const add = () => screen.findByRole('button', { name: 'Add BTC / ETH' })

test('the sheet of a pair shows its chart, its figures in words, and the pair turned around', async () => {
  const { windows } = await openSheet()
  expect(await screen.findByRole('heading', { name: 'BTC/ETH Historical Ratio' })).toBeDefined()
  expect(await screen.findByRole('slider', { name: 'BTC/ETH ratio by time' })).toBeDefined()
  const words = within(await screen.findByRole('region', { name: 'BTC / ETH in the days before' }))
  expect((await screen.findByText(/is higher than on/)).textContent).toContain('of the last 90 days (+2.3σ')
  expect(words.getByRole('link', { name: 'Half-life' }).getAttribute('href')).toBe('/figures#half-life')
  expect(words.getByRole('link', { name: /Turn around: ETH\/BTC/ }).getAttribute('href')).toBe('/radar/b/a')
  await userEvent.click(words.getByRole('button', { name: '180 d' }))
  expect(windows).toEqual([180])
})

test('a screen reader hears of a pair its ratio, its place, what can be done, the chart, and then the parts below it', async () => {
  await openSheet()
  await screen.findByText(/in 3m/)
  await screen.findByRole('region', { name: 'Backtest' })
  await add()
  const page = screen.getByRole('region', { name: 'BTC/ETH Historical Ratio' })
  const heard = [...page.querySelectorAll('h1, h2, p:has(data), p:has(a[href*=percentile]), [role], fieldset, section')]
    .filter((element) => !element.matches('section:has(> header), [role=status], [role=tooltip]'))
    .map((element) => element.getAttribute('aria-label') ?? element.textContent)
  expect(heard).toEqual([
    'BTC/ETH Historical Ratio',
    'Ratio: 28.0000▲ +3.70% in 3m',
    '28.0000 is higher than on 98\u00A0% of the last 90 days (+2.3σ from their average). ',
    'Actions',
    'Period',
    'Indicators',
    'Bitcoin/Ethereum Price Ratio',
    'BTC/ETH ratio by time',
    'Backtest',
    'Backtest: what would rotating have done?',
    'BTC / ETH in the days before',
    'Window',
    'Your dashboard',
  ])
})

test('one press adds the pair with the proposed thresholds, the side that the ratio is beyond disarmed', async () => {
  const { app } = await openSheet()
  expect((await screen.findByText(/Tell me at 2/)).textContent).toContain(
    'The ratio is beyond the high one now: that side begins disarmed',
  )
  const chart = await screen.findByRole('slider', { name: 'BTC/ETH ratio by time' })
  await userEvent.click(await add())
  expect(await screen.findByText(/BTC \/ ETH added to your dashboard\. Its alerts are off/)).toBeDefined()
  const payloads = (await app.db.outbox.toArray()).map(({ payload }) => payload)
  expect(JSON.stringify(payloads)).toContain('"high_threshold":27.63,"high_threshold_active":false')
  expect(JSON.stringify(payloads)).toContain('"low_threshold":22.62,"low_threshold_active":true')
  expect(await screen.findByText('BTC / ETH is on your dashboard.')).toBeDefined()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Open its chart' })))
  expect(screen.getByRole('slider', { name: 'BTC/ETH ratio by time' })).toBe(chart)
})

test('beside the proposed thresholds stand break-even and how far the worst earlier one went on', async () => {
  await openSheet()
  const link = await screen.findByRole('link', { name: 'pays fees and spread' })
  expect(link.getAttribute('href')).toContain('/figures#break-even')
  expect(link.parentElement?.textContent).toBe(
    'A swap at the high one and back pays fees and spread below 27.46, at the low one above 22.76 (0.3\u00A0% each). Of earlier ones the worst high went 4\u00A0% further.',
  )
})

test('a pair whose deviations do not pay two swaps is proposed no thresholds, with the reason', async () => {
  const pegged = report.windows.map((shown) => ({ ...shown, deviation: 0.001 }))
  const { app } = await openSheet({ pairReport: { ...report, windows: pegged } })
  expect((await screen.findByText(/No thresholds are proposed/)).textContent).toBe(
    'No thresholds are proposed: a deviation of 90 days is 0.1\u00A0% here, so that a swap at 2 of them and back at the average did not pay its cost of 0.3\u00A0% each way.',
  )
  await userEvent.click(await add())
  await screen.findByText('BTC / ETH added to your dashboard.')
  expect(JSON.stringify((await app.db.outbox.toArray()).map(({ payload }) => payload))).not.toMatch(/threshold":\d/)
})

test('without the tick the pair is added alone', async () => {
  const { app } = await openSheet()
  await userEvent.click(await screen.findByRole('checkbox'))
  await userEvent.click(await add())
  await screen.findByText('BTC / ETH added to your dashboard.')
  const payloads = JSON.stringify((await app.db.outbox.toArray()).map(({ payload }) => payload))
  expect(payloads).not.toContain('high_threshold":27')
})

test('a pair that is on the dashboard the other way round leads to its chart there', async () => {
  await openSheet({ widgets: [[1, 0]] })
  const there = await screen.findByRole('link', { name: 'On your dashboard: ETH/BTC' })
  expect(there.getAttribute('href')).toMatch(/^\/chart\//)
  expect(screen.queryByRole('button', { name: /^Add / })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Alert' })).toBeNull()
})

test('the page of one’s own pair begins with its place, sets alert and checkpoint there, and says which coin moved since', async () => {
  const { app } = await openSheet({ widgets: [[0, 1]] })
  await seedPrices(app, { 0: 28, 1: 1 })
  const actions = within(await screen.findByRole('group', { name: 'Actions' }))
  await actions.findByRole('button', { name: 'Alert' })
  expect(screen.queryByRole('button', { name: /^Add / })).toBeNull()
  await waitFor(() =>
    expect(actions.getByRole<HTMLButtonElement>('button', { name: 'Swap math' }).disabled).toBe(false),
  )
  await userEvent.click(actions.getByRole('button', { name: 'Alert' }))
  expect(openDialog(app.store, 'threshold')).toMatchObject({ side: 'high' })
  await userEvent.click(actions.getByRole('button', { name: 'Checkpoint' }))
  await waitFor(async () =>
    expect((await app.db.outbox.toArray()).map(({ kind }) => kind)).toEqual(['checkpoint.anonymous-create@1']),
  )
  await seedPrices(app, { 0: 42, 1: 1 })
  expect(await screen.findByText('Since checkpoint +50 %, mostly BTC: +50 %, ETH 0.00 %')).toBeDefined()
})

test('a checkpoint pressed before the first prices of a pair that was only just added is saved with them', async () => {
  const { app } = await openSheet()
  const actions = within(await screen.findByRole('group', { name: 'Actions' }))
  await userEvent.click(await actions.findByRole('button', { name: 'Add pair' }))
  const checkpoint = await actions.findByRole('button', { name: 'Checkpoint' })
  await userEvent.click(checkpoint)
  await userEvent.click(checkpoint)
  expect(await app.db.outbox.count()).toBe(1)
  await seedPrices(app, { 0: 42, 1: 2 })
  await waitFor(async () =>
    expect((await app.db.outbox.toArray()).slice(1)).toMatchObject([
      { kind: 'checkpoint.anonymous-create@1', payload: { body: { ratio: 21, prices: { a: 42, b: 2 } } } },
    ]),
  )
  expect(checkpoint.getAttribute('aria-busy')).toBe('false')
})

test('swap math reckons a swap there and back with the cost of backtests, and refuses what is no amount', async () => {
  const { app } = await openSheet({ widgets: [[0, 1]] })
  await seedPrices(app, { 0: 28, 1: 1 })
  const open = await screen.findByRole<HTMLButtonElement>('button', { name: 'Swap math' })
  await waitFor(() => expect(open.disabled).toBe(false))
  await userEvent.click(open)
  const dialog = within(await screen.findByRole('dialog', { name: 'BTC / ETH - Swap Math' }))
  const amount = dialog.getByRole('textbox', { name: 'Amount of BTC' })
  await userEvent.clear(amount)
  await userEvent.type(amount, '2')
  const facts = () => [...document.querySelectorAll('dialog dd')].map(({ textContent }) => textContent)
  expect(facts().slice(0, 3)).toEqual(['55.832 ETH', '1.9880 BTC', 'below a ratio of 27.83'])
  await userEvent.clear(amount)
  expect(dialog.getByText('A number above 0, such as 1.5')).toBeDefined()
  expect(facts()).toEqual([])
})

test('at the limit of the tier the button says so and adds nothing', async () => {
  const { app } = await openSheet({ widgets: [[2, 3]], limit: 1 })
  await waitFor(async () => expect((await add()).getAttribute('aria-disabled')).toBe('true'))
  await userEvent.click(await add())
  expect(await screen.findByRole('button', { name: 'Upgrade' })).toBeDefined()
  expect(await app.db.outbox.count()).toBe(0)
})

test('a threshold that only the chart’s ratio is beyond begins disarmed too, as the last close is older', async () => {
  await openSheet({ pairReport: { ...report, ratio: 25, isLive: false }, ratios: [27, 22.5] })
  expect((await screen.findByText(/Tell me at 2/)).textContent).toContain('beyond the low one now')
})

test('where the thresholds cannot be stored, the user learns that the pair was added without them', async () => {
  const { app } = await openSheet()
  await add()
  await screen.findByText(/Tell me at 2/)
  const refuse = () => {
    throw new Error('no room')
  }
  let entries = 0
  app.db.outbox.hook('creating', () => void ((entries += 1) > 1 && refuse()))
  app.db.outbox.hook('updating', refuse)
  const reports = catchReports()
  await userEvent.click(await add())
  expect(await screen.findByText(/BTC \/ ETH is on your dashboard, without thresholds: /)).toBeDefined()
  expect(reports).toHaveLength(1)
  expect(await app.db.outbox.count()).toBe(1)
})

test('without daily closes the sheet says that they are to come, and proposes no thresholds', async () => {
  await openSheet({ pairReport: null })
  expect(await screen.findByText(/^No daily closes are stored on this device yet/)).toBeDefined()
  expect(await screen.findByText('These days give no thresholds to propose.')).toBeDefined()
})

test('a coin without daily closes beside stored ones is not said to get any', async () => {
  const { app } = await openSheet({ pairReport: null })
  await screen.findByText(/^No daily closes are stored/)
  await app.db.daily_closes.put({
    key: 'usd',
    source: 'simulated',
    matrix: new ArrayBuffer(0),
    etag: null,
    last_day: 1,
    fetched_at: 1,
  })
  expect(await screen.findByText(/of coins on dashboards, not of both of these/)).toBeDefined()
})

test('figures that could not be computed are asked for again at a press, and no thresholds are spoken of', async () => {
  const reports = catchReports()
  let fails = true
  await openSheet({ pairReport: () => (fails ? Promise.reject(new Error('no memory')) : Promise.resolve(report)) })
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('The figures could not be computed: no memory')
  expect(screen.queryByText(/thresholds at 2|give no thresholds/)).toBeNull()
  expect(reports).toEqual([new Error('no memory')])
  fails = false
  await userEvent.click(within(alert).getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText(/is higher than on/)).toBeDefined()
})

test('a coin that the list does not have, and a coin beside itself, are no pair', async () => {
  const { closed } = await openSheet({ pair: ['nonsense', 1] })
  expect(await screen.findByText('There is no coin “nonsense”.')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Back to Radar' }))
  expect(closed()).toBe(1)
})

test('a pair of a coin and itself is refused', async () => {
  await openSheet({ pair: [1, 1] })
  expect(await screen.findByText('A pair takes two different coins.')).toBeDefined()
})
