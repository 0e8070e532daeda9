export const THEMES = ['system', 'light', 'dark'] as const
export type ThemeChoice = (typeof THEMES)[number]

// The one thing kept in localStorage: public/theme.js has to know it before the first paint and cannot wait for Dexie.
// oxlint-disable-next-line no-restricted-globals
const storage = (): Storage => localStorage

export function readThemeChoice(): ThemeChoice {
  try {
    const chosen = storage().getItem('theme')
    return THEMES.find((theme) => theme === chosen) ?? 'system'
  } catch {
    return 'system' // Storage is blocked: theme.js follows the system then, too.
  }
}

/** Throws where the browser blocks storage. */
export function chooseTheme(theme: ThemeChoice): void {
  if (theme === 'system') storage().removeItem('theme')
  else storage().setItem('theme', theme)
  // theme.js listens for it: the storage event only reaches other tabs.
  window.dispatchEvent(new Event('theme-chosen'))
}
