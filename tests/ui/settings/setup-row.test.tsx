import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { writeMeta } from '../../../src/db/database'
import { readSetupPairs } from '../../../src/db/setup'
import { SetupRow } from '../../../src/features/settings/setup-row'
import { useChartChoices } from '../../../src/state/chart-choices'
import { type LocalApp, seedCoins, seedLimit, seedWidgets, startLocalApp, noticesOf } from '../support/local-app'
import { catchReports } from '../support/reports'

/** Files that were saved, oldest first. */
let saved: { readonly contents: Blob; readonly name: string }[]
beforeEach(() => {
  saved = []
  let blob: Blob | null = null
  vi.spyOn(URL, 'createObjectURL').mockImplementation((contents) => {
    blob = contents as Blob
    return 'blob:saved'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ contents: blob!, name: this.download })
  })
})

const preview = () => screen.queryByRole('dialog', { name: 'Load setup' })
const press = (name: string, inside: HTMLElement = document.body) =>
  userEvent.click(within(inside).getByRole('button', { name }))
const choose = (contents: BlobPart) =>
  userEvent.upload(
    screen.getByLabelText('Setup file'),
    new File([contents], 'setup.json', { type: 'application/json' }),
  )
const bases = async ({ db }: LocalApp) => (await readSetupPairs(db)).map(({ base, quote }) => `${base}/${quote}`)

async function start(pairs: Parameters<typeof seedWidgets>[1], limit = 5) {
  const app = await startLocalApp()
  await seedCoins(app, 8)
  await seedLimit(app, limit)
  await seedWidgets(app, pairs)
  app.render(<SetupRow />)
  return app
}

/** The file that another browser with these pairs would save. */
async function setupOf(pairs: Parameters<typeof seedWidgets>[1]): Promise<string> {
  const { unmount } = (await start(pairs)).render(<p />)
  await press('Download setup')
  await waitFor(() => expect(saved).toHaveLength(1))
  unmount()
  document.body.replaceChildren()
  return saved[0]!.contents.text()
}

it('“Download setup” saves the pairs under a name with the day', async () => {
  const app = await start(2)
  await press('Download setup')
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(saved[0]!.name).toMatch(/^crypto-ratio-tracker-setup-2026-11-2[12]\.json$/)
  expect(JSON.parse(await saved[0]!.contents.text())).toMatchObject({
    format: 'crypto-ratio-tracker-setup',
    version: 1,
    checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
    setup: { pairs: [{ base: 'bitcoin', quote: 'ethereum' }, { base: 'coin-2' }], device: { theme: 'system' } },
  })
  expect(noticesOf(app)).toMatchObject([{ kind: 'success' }])
})

it('“Load setup” says what is added, skipped and left out before anything is done, and adds it on a second press', async () => {
  const file = await setupOf(4)
  const app = await start([[2, 3]], 3)
  await choose(file)
  await waitFor(() => expect(preview()).not.toBeNull())
  for (const [title, names] of [
    ['Adds 2 pairs', 'BTC/ETH, C4/C5'],
    ['Skips 1 pair', 'C2/C3'],
    ['Leaves out 1 pair', 'C6/C7'],
  ]) {
    const part = within(preview()!).getByRole('heading', { name: title! }).parentElement!
    expect(within(part).getByText(names!)).toBeTruthy()
  }
  expect(await bases(app)).toEqual(['coin-2/coin-3'])
  await press('Load setup', preview()!)
  await waitFor(() => expect(preview()).toBeNull())
  expect(await bases(app)).toEqual(['coin-2/coin-3', 'bitcoin/ethereum', 'coin-4/coin-5'])
  expect(app.syncs).toContain('command')
  await choose(file)
  await waitFor(() => expect(preview()).not.toBeNull())
  expect(within(preview()!).getByText('Nothing in this setup can be added here.')).toBeTruthy()
  expect(within(preview()!).queryByRole('button', { name: 'Load setup' })).toBeNull()
})

it('a loaded setup changes how charts look although a chart was opened before', async () => {
  const app = await start([])
  const charts = { average: true, bands: true, period: '7d' } as const
  await writeMeta(app.db, 'chart_choices', charts)
  await press('Download setup')
  await waitFor(() => expect(saved).toHaveLength(1))
  await writeMeta(app.db, 'chart_choices', { average: false, bands: false, period: null })
  const seen: unknown[] = []
  function Chart() {
    seen.push(useChartChoices().choices)
    return null
  }
  app.render(<Chart />)
  await waitFor(() => expect(seen.at(-1)).toMatchObject({ average: false }))
  await choose(await saved[0]!.contents.text())
  await waitFor(() => expect(preview()).not.toBeNull())
  await press('Load setup', preview()!)
  await waitFor(() => expect(noticesOf(app).at(-1)?.message).toBe('Setup loaded.'))
  expect(seen.at(-1)).toEqual(charts)
})

it('a setup that cannot be stored is said not to be loaded, and changes nothing', async () => {
  const file = await setupOf([[0, 1]])
  const reports = catchReports()
  const app = await start([[2, 3]])
  await choose(file)
  await waitFor(() => expect(preview()).not.toBeNull())
  vi.spyOn(app.db.outbox, 'add').mockRejectedValue(new Error('the disk is full'))
  await press('Load setup', preview()!)
  const sentence = 'Your setup could not be loaded, and nothing was changed. Please try again.'
  await waitFor(() => expect(screen.getByText(sentence)).toBeTruthy())
  expect([await bases(app), reports.length]).toEqual([['coin-2/coin-3'], 1])
})

it('“Cancel” in the preview of a setup loads nothing', async () => {
  const file = await setupOf([[0, 1]])
  const app = await start([])
  await choose(file)
  await waitFor(() => expect(preview()).not.toBeNull())
  await press('Cancel', preview()!)
  expect([preview(), await bases(app)]).toEqual([null, []])
})

it.each([
  ['words', () => 'hello', 'This file is not a setup of Crypto Ratio Tracker.'],
  ['fifty megabytes', () => new Uint8Array(50_000_000), 'This file is too large to be a setup.'],
  [
    'a changed checksum',
    (file: string) => file.replace(/"checksum": "./, '"checksum": "x'),
    'This setup is damaged or was changed: its checksum does not fit.',
  ],
  [
    'a changed pair',
    (file: string) => file.replace('"alerts": false', '"alerts": true'),
    'This setup is damaged or was changed: its checksum does not fit.',
  ],
])('a file of %s is answered with a sentence, and changes nothing', async (_, change, sentence) => {
  const file = await setupOf([[0, 1]])
  const app = await start([[2, 3]])
  await choose(change(file))
  await waitFor(() => expect(screen.getByText(sentence)).toBeTruthy())
  expect([preview(), await bases(app)]).toEqual([null, ['coin-2/coin-3']])
})
