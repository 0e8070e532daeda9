import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { CsvRequest } from '../../../workers/api'
import { START } from '../support/local-app'
import { catchReports } from '../support/reports'
import { chartOf } from './charts'
import { stubCanvas } from './no-canvas'
import { button, openChart, plot } from './open-chart'

beforeEach(stubCanvas)

const rows = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent).join(' | '))

const noon = new Date(2026, 10, 21, 12, 0).getTime()

it('the chart table holds the points of the shown lines, newest last, before the user opens the table', async () => {
  const gap = { ...chartOf([27.1, 28.2, 29.3], noon), ratio: Float64Array.of(27.1, Number.NaN, 29.3) }
  await openChart({ chart: () => Promise.resolve(gap) })
  const table = await screen.findByRole('table')
  expect(screen.getByRole('region', { name: 'BTC/ETH Historical Ratio' }).contains(table)).toBe(true)
  expect(rows(table)).toEqual([
    'Time | Ratio',
    'Nov 21, 2026 10:00 | 27.1',
    'Nov 21, 2026 11:00 | N/A',
    'Nov 21, 2026 12:00 | 29.3',
  ])
  await userEvent.click(button('Bands (2σ)'))
  await waitFor(() => expect(rows(table).at(-1)).toBe('Nov 21, 2026 12:00 | 29.3 | 30.3 | 28.3'))
  expect(rows(table)[0]).toBe('Time | Ratio | Upper band | Lower band')
})

it('a button opens and closes the chart table, and the box of the open table is focusable for scrolling by keys', async () => {
  await openChart()
  const table = await screen.findByRole('table')
  expect(screen.queryByRole('group', { name: 'Visible points' })).toBeNull()
  await userEvent.click(button('Show table'))
  const box = screen.getByRole('group', { name: 'Visible points' })
  expect(box.contains(table)).toBe(true)
  expect(box.tabIndex).toBe(0)
  await userEvent.click(button('Hide table'))
  expect(screen.queryByRole('group', { name: 'Visible points' })).toBeNull()
})

it('the caption of the chart table says how many of the visible points the table holds', async () => {
  const many = Array.from({ length: 450 }, (_, i) => i + 1)
  await openChart({ chart: () => Promise.resolve(chartOf(many, noon)) })
  const table = await screen.findByRole('table')
  expect(within(table).getByText('150 of 450 visible points, newest last, local time')).toBeDefined()
  expect(rows(table)).toHaveLength(151)
  expect(rows(table).at(-1)).toBe('Nov 21, 2026 12:00 | 450')
})

it('the chart table holds only the points of the zoomed view, and all of them after the zoom is reset', async () => {
  const many = Array.from({ length: 100 }, (_, i) => i + 1)
  await openChart({ chart: () => Promise.resolve(chartOf(many, noon)) })
  const table = await screen.findByRole('table')
  ;(await plot()).focus()
  await userEvent.keyboard('+++{End}')
  await waitFor(() => expect(rows(table).length).toBeLessThan(60))
  expect(rows(table).at(-1)).toBe('Nov 21, 2026 12:00 | 100')
  await userEvent.keyboard('0')
  await waitFor(() => expect(rows(table)).toHaveLength(101))
})

describe('Export CSV', () => {
  const downloads: string[] = []
  beforeEach(() => {
    downloads.length = 0
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      downloads.push(`${this.download} ${this.href.split(':')[0] ?? ''}`)
    })
  })

  it('Export CSV asks the worker for the rows of the period and saves them under the name of the pair', async () => {
    const asked: CsvRequest[] = []
    const csv = (request: CsvRequest) => {
      asked.push(request)
      return Promise.resolve(new Blob(['x']))
    }
    await openChart({ csv })
    await plot()
    await userEvent.click(button('Export CSV'))
    await waitFor(() => expect(downloads).toEqual(['btc_eth_historical.csv blob']))
    expect(asked).toEqual([
      { coinA: 'bitcoin', coinB: 'ethereum', symbolA: 'BTC', symbolB: 'ETH', period: '7d', now: START },
    ])
  })

  it('a failed CSV export is only logged, and the user can try again', async () => {
    const logged = catchReports()
    const failure = new Error('no rows')
    await openChart({ csv: () => Promise.reject(failure) })
    await plot()
    await userEvent.click(button('Export CSV'))
    await waitFor(() => expect(logged).toEqual([failure]))
    expect(downloads).toEqual([])
    expect(screen.queryByRole('alert')).toBeNull()
    await userEvent.click(button('Export CSV'))
    await waitFor(() => expect(logged).toEqual([failure, failure]))
  })

  it('two clicks on Export CSV in a row save one file, and the button keeps the focus', async () => {
    const answers: ((blob: Blob) => void)[] = []
    await openChart({ csv: () => new Promise((resolve) => answers.push(resolve)) })
    await plot()
    await userEvent.dblClick(button('Export CSV'))
    await waitFor(() => expect(answers).toHaveLength(1))
    await waitFor(() => expect(document.activeElement).toBe(button('Export CSV')))
    answers[0]!(new Blob(['x']))
    await waitFor(() => expect(downloads).toHaveLength(1))
    expect(answers).toHaveLength(1)
  })

  it('Export CSV is disabled while the chart loads and, with Show table, when the period has no data', async () => {
    await openChart({ chart: () => Promise.resolve({ kind: 'empty' }) })
    expect(await screen.findByRole('button', { name: 'Export CSV' })).toHaveProperty('disabled', true)
    await screen.findByText('No ratio data available to display for this period')
    expect(button('Export CSV').disabled).toBe(true)
    expect(button('Show table').disabled).toBe(true)
    expect(screen.queryByRole('table')).toBeNull()
  })
})
