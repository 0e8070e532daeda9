import type { MyData } from '../../contract/my-data'
import type { LocalDatabase } from '../../db/database'
import type { LocalData } from '../../db/local-data'
import { previewSetup, readSetupPairs, readViewSettings, type SetupPlan } from '../../db/setup'
import {
  type Setup,
  type SetupDevice,
  MAX_SETUP_BYTES,
  readSetup,
  SETUP_DAMAGED,
  SETUP_TOO_LARGE,
  writeSetup,
} from '../../domain/setup-file'
import { wayWords } from '../../domain/way-alerts'
import { chooseTheme, readThemeChoice, type ThemeChoice, THEMES } from './theme-choice'

/** @param now milliseconds since 1970; the name says the day on this device's calendar */
export function dataFileName(now: number, what = ''): string {
  const day = new Date(now)
  const two = (number: number) => String(number).padStart(2, '0')
  const name = what === '' ? 'crypto-ratio-tracker' : `crypto-ratio-tracker-${what}`
  return `${name}-${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}.json`
}

/** An alert of a way stands beside the newest crossing: pair, side and prices are of that one. */
const withOwnFacts = (alert: MyData['alerts'][number]) => {
  if (wayWords({ kind: alert.kind ?? '' }) === undefined) return alert
  const borrowed = { widget_id: null, coin_a_id: null, coin_b_id: null, side: null, ratio: null, threshold: null }
  return { ...alert, ...borrowed }
}

/** All data about a user, as a file. `server` is null if the server could not be asked. */
export function dataFile(server: MyData | null, local: LocalData | undefined, now: number): Blob {
  const browser = local === undefined ? null : { ...local, theme: readThemeChoice() }
  const contents = {
    app: 'Crypto Ratio Tracker',
    saved_at: new Date(now).toISOString(),
    server: server && { ...server, alerts: server.alerts.map(withOwnFacts) },
    browser,
  }
  return new Blob([`${JSON.stringify(contents, null, 2)}\n`], { type: 'application/json' })
}

/** A setup read from a file, and the plan of loading it. */
export interface ChosenSetup {
  readonly setup: Setup
  readonly plan: SetupPlan
}

/** @param now milliseconds */
export async function setupBlob(db: LocalDatabase, now: number): Promise<Blob> {
  const device = { ...(await readViewSettings(db)), theme: readThemeChoice() }
  const setup = { pairs: await readSetupPairs(db), device }
  return new Blob([await writeSetup(setup, now, sha256)], { type: 'application/json' })
}

/** The plan of a chosen file, or a sentence if this app cannot load it. Changes nothing. */
export async function examine(db: LocalDatabase, file: Blob): Promise<ChosenSetup | string> {
  // Not read at all: a film would fill the memory.
  if (file.size > MAX_SETUP_BYTES) return SETUP_TOO_LARGE
  const read = readSetup(await file.text())
  if (!read.ok) return read.problem
  if ((await sha256(read.covered)) !== read.checksum) return SETUP_DAMAGED
  const planned = await previewSetup(db, read.setup)
  if (planned === undefined) return 'User session not found. Please refresh and try again.'
  return planned.ok ? { setup: read.setup, plan: planned.plan } : planned.problem
}

/** SHA-256 of a text in hexadecimal. Rejects where the page was not loaded over a secure connection. */
async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The theme that loading a setup would choose on this device; null: the present one stays. */
export function themeOf({ theme }: SetupDevice): ThemeChoice | null {
  const known = THEMES.find((one) => one === theme)
  return known === undefined || known === readThemeChoice() ? null : known
}

/** Chooses the setup's theme; a browser that blocks storage keeps its own. */
export function applyDevice(device: SetupDevice): void {
  const theme = themeOf(device)
  try {
    if (theme !== null) chooseTheme(theme)
  } catch (error) {
    reportError(error)
  }
}
