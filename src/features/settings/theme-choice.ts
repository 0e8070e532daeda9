export const THEMES = ['system', 'light', 'dark'] as const
export type ThemeChoice = (typeof THEMES)[number]

// The theme alone is kept in localStorage: public/theme.js reads it before the first paint and cannot wait for Dexie.
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

/** Calls back when another theme is chosen on this page. */
export function followTheme(onChange: () => void): () => void {
  window.addEventListener('theme-chosen', onChange)
  return () => window.removeEventListener('theme-chosen', onChange)
}

/** Throws where the browser blocks storage. */
export function chooseTheme(theme: ThemeChoice): void {
  if (theme === 'system') storage().removeItem('theme')
  else storage().setItem('theme', theme)
  // For theme.js: the browser sends its storage event to other tabs only.
  window.dispatchEvent(new Event('theme-chosen'))
}
