import type { SetupDevice } from '../../domain/setup-file'
import { chooseTheme, readThemeChoice, THEMES, type ThemeChoice } from './theme-choice'

/** How this device shows things, for a setup's file. */
export const deviceSettings = (): SetupDevice => ({ theme: readThemeChoice() })

/** The settings that a setup would change on this device; null: none. */
export function themeOf({ theme }: SetupDevice): ThemeChoice | null {
  const known = THEMES.find((one) => one === theme)
  return known === undefined || known === readThemeChoice() ? null : known
}

/** Takes over what a setup says of the device; a browser that blocks storage keeps its own. */
export function applyDevice(device: SetupDevice): void {
  const theme = themeOf(device)
  try {
    if (theme !== null) chooseTheme(theme)
  } catch (error) {
    reportError(error)
  }
}
