import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { INITIAL_SETTINGS, settingsInFile } from '../../src/db/widget-settings'
import type { CoinId } from '../../src/domain/ids'
import { canonicalJson, readSetup, type Setup, type SetupPair, writeSetup } from '../../src/domain/setup-file'

const sha256 = async (text: string) => createHash('sha256').update(text).digest('hex')
const NOW = Date.UTC(2026, 0, 15)

const pair = (change: Partial<SetupPair> = {}): SetupPair => ({
  base: 'bitcoin' as CoinId,
  quote: 'ethereum' as CoinId,
  ...settingsInFile(INITIAL_SETTINGS),
  high: 40,
  low: 1e-7,
  high_armed: true,
  low_armed: false,
  alerts: true,
  checkpoints: [
    { ratio: 30.123456789, saved_at: '2026-01-01T00:00:00.000Z', is_default: false },
    { ratio: 31, saved_at: '2026-01-02T00:00:00.000Z', is_default: true },
  ],
  rules: [
    {
      kind: 'z_below',
      level: -2,
      window: 90,
      margin: 0.25,
      hold_minutes: 30,
      repeat: 'once',
      expires_at: '2026-02-01T00:00:00.000Z',
      loudness: 'quiet',
      note: 'Buy back',
    },
  ],
  ...change,
})
const setupOf = (...pairs: readonly unknown[]) => ({ pairs, device: { theme: 'dark' } }) as Setup
const textOf = (setup: unknown) => writeSetup(setup as Setup, NOW, sha256)
const problemOf = (text: string) => {
  const read = readSetup(text)
  return read.ok ? null : read.problem
}

test('a setup is read as it was written, and its checksum fits', async () => {
  const setup = setupOf(
    pair(),
    pair({ base: 'ethereum' as CoinId, quote: 'bitcoin' as CoinId, high: null, checkpoints: [] }),
  )
  const read = readSetup(await textOf(setup))
  expect(read).toMatchObject({ ok: true, setup })
  expect(read.ok && (await sha256(read.covered))).toBe(read.ok && read.checksum)
})

test('the checksum of a setup does not depend on the order of keys or on spaces, and changes with every value', async () => {
  const text = await textOf(setupOf(pair()))
  const file = JSON.parse(text) as Record<string, unknown>
  const reversed = JSON.stringify(Object.fromEntries(Object.entries(file).toReversed()))
  const [same, other] = [readSetup(reversed), readSetup(text.replace('30.123456789', '30.123456788'))]
  expect(same.ok && (await sha256(same.covered))).toBe(file['checksum'])
  expect(other.ok && (await sha256(other.covered))).not.toBe(file['checksum'])
  expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1}]}')
})

test('settings of a device that are no plain values are left out of a setup', async () => {
  const read = readSetup(
    await textOf({ pairs: [], device: { theme: 'dark', other: { x: 1 }, keys: false, none: null } }),
  )
  expect(read).toMatchObject({ setup: { device: { theme: 'dark', keys: false } } })
})

test.each([
  ['nothing', ''],
  ['words', 'pairs, please'],
  ['half a file', '{"format":"crypto-ratio-tracker-setup","ver'],
  ['a list', '[]'],
  ['null', 'null'],
  ['other JSON', '{"name":"package"}'],
  ['a setup without a checksum', '{"format":"crypto-ratio-tracker-setup","version":1,"setup":{"pairs":[]}}'],
  ['a setup of version 0', '{"format":"crypto-ratio-tracker-setup","version":0,"checksum":"x","setup":{"pairs":[]}}'],
  [
    'brackets without end',
    `{"format":"crypto-ratio-tracker-setup","version":1,"checksum":"x","setup":{"pairs":[]},"x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
  ],
])('%s: the reader says that it is not a setup', (_, text) => {
  expect(problemOf(text)).toBe('This file is not a setup of Crypto Ratio Tracker.')
})

test('a setup of a newer version asks for an update of the app, whatever it holds', () => {
  const text = '{"format":"crypto-ratio-tracker-setup","version":2,"checksum":"x","setup":"unknown"}'
  expect(problemOf(text)).toBe('This setup was saved by a newer version of the app. Update the app, and load it again.')
})

test.each([
  ['its list of pairs is missing', { pairs: 'all' }],
  [
    'it has more than 1000 pairs',
    setupOf(...Array.from({ length: 1001 }, (_, n) => pair({ base: `c${n}` as CoinId }))),
  ],
  ['it names the pair bitcoin/ethereum twice', setupOf(pair(), pair({ high: null }))],
  ['pair 1 is not a pair', setupOf(7)],
  ['pair 2 does not name its coins', setupOf(pair(), pair({ base: '<b>' as CoinId, quote: 'x' as CoinId }))],
  ['pair 1 compares bitcoin with itself', setupOf(pair({ quote: 'bitcoin' as CoinId }))],
  ['a threshold of pair 1 is not a number that a ratio can have', setupOf(pair({ high: -1 }))],
  ['a threshold of pair 1 is not a number that a ratio can have', setupOf(pair({ low: 0 }))],
  ['a threshold of pair 1 is not a number that a ratio can have', setupOf(pair({ low: '5' as unknown as number }))],
  ['a threshold of pair 1 is not a number that a ratio can have', setupOf(pair({ high: 1e300 }))],
  ['pair 1 does not say whether its alerts are on', setupOf(pair({ alerts: 'yes' as unknown as boolean }))],
  ['an alert of pair 1 is not one', setupOf(pair({ rules: [{ ...pair().rules[0]!, level: 7 }] }))],
  ['an alert of pair 1 is not one', setupOf(pair({ rules: [{ ...pair().rules[0]!, note: 'x'.repeat(201) }] }))],
  [
    'a checkpoint of pair 1 is not one',
    setupOf(pair({ checkpoints: [{ ratio: 1, saved_at: 'today', is_default: true }] })),
  ],
  [
    'a checkpoint of pair 1 is not one',
    setupOf(pair({ checkpoints: [{ ratio: 1, saved_at: '1999-01-01T00:00:00Z', is_default: true }] })),
  ],
  [
    'a checkpoint of pair 1 is not one',
    setupOf(
      pair({ checkpoints: [{ ratio: 1, prices: { a: 2, b: 1 }, saved_at: '2026-01-01T00:00:00Z', is_default: true }] }),
    ),
  ],
  [
    'pair 1 has two default checkpoints',
    setupOf(
      pair({ checkpoints: [1, 2].map((ratio) => ({ ratio, saved_at: '2026-01-01T00:00:00Z', is_default: true })) }),
    ),
  ],
])('%s: the reader says so of a file whose checksum fits', async (what, setup) => {
  expect(problemOf(await textOf(setup))).toBe(`This setup cannot be loaded: ${what}.`)
})

test('a number beyond every double is no threshold', async () => {
  const text = (await textOf(setupOf(pair()))).replace('"high": 40', '"high": 1e400')
  expect(problemOf(text)).toContain('is not a number that a ratio can have')
})
