import type { MyData } from '../../contract/my-data'
import type { LocalData } from '../../db/queries/local-data'
import { readThemeChoice } from './theme-choice'

/** @param now milliseconds since 1970; the name says the day on this device's calendar */
export function dataFileName(now: number, what = ''): string {
  const day = new Date(now)
  const two = (number: number) => String(number).padStart(2, '0')
  const name = what === '' ? 'crypto-ratio-tracker' : `crypto-ratio-tracker-${what}`
  return `${name}-${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}.json`
}

/** All data about a user, as a file. `server` is null if the server could not be asked. */
export function dataFile(server: MyData | null, local: LocalData | undefined, now: number): Blob {
  const browser = local && { ...local, theme: readThemeChoice() }
  const contents = {
    app: 'Crypto Ratio Tracker',
    saved_at: new Date(now).toISOString(),
    server,
    browser: browser ?? null,
  }
  return new Blob([`${JSON.stringify(contents, null, 2)}\n`], { type: 'application/json' })
}
