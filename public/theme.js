// Runs before the first paint, so that no screen flashes in the wrong theme; the build writes it into index.html.
// localStorage, and not the local database, because only it answers at once.
;(() => {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const page = { dark: '#0c0f14', light: '#f3f4f7' }

  const choice = () => {
    try {
      // oxlint-disable-next-line no-restricted-globals -- the theme is the one thing kept there
      return localStorage.getItem('theme')
    } catch {
      return null // Storage is blocked: the system's choice holds.
    }
  }

  const apply = () => {
    const chosen = choice()
    const theme = chosen === 'dark' || chosen === 'light' ? chosen : system.matches ? 'dark' : 'light'
    document.documentElement.dataset.theme = theme
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) meta.content = page[theme]
  }

  apply()
  system.addEventListener('change', apply)
  addEventListener('storage', apply)
  addEventListener('theme-chosen', apply)
})()
