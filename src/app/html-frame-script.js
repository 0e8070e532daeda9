// Paints the shell before the app's scripts have come: the build writes this into index.html, behind the templates. React
// replaces the shell by its own in one step. A press until then is passed on to the same button of the app.
;(() => {
  const path = location.pathname
  const root = document.getElementById('root')
  const template = (name) => document.getElementById(`frame-${name}`)
  if (template('outside').dataset.paths.split(' ').includes(path)) return

  // A returning visitor may have pairs, and sees the shell alone until those are read.
  const firstVisit = () => {
    try {
      // oxlint-disable-next-line no-restricted-globals -- only storage that answers at once can say so before the first paint
      const storage = localStorage
      const visited = storage.getItem('visited')
      storage.setItem('visited', 'yes')
      return visited === null && !navigator.serviceWorker?.controller
    } catch {
      return false // Storage is blocked.
    }
  }

  const shells = [...document.querySelectorAll('template[data-media]')]
  root.append(shells.find(({ dataset }) => matchMedia(dataset.media).matches).content.cloneNode(true))
  const frame = root.firstElementChild

  for (const link of root.querySelectorAll('nav a')) {
    const to = link.getAttribute('href')
    const current = to === '/' ? path === '/' || path.startsWith('/chart/') : `${path}/`.startsWith(`${to}/`)
    if (current) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
  if (firstVisit() && path === '/') {
    document.documentElement.dataset.welcomed = ''
    root.querySelector('main').append(template('welcome').content.cloneNode(true))
  }

  let pressed
  const nameOf = (button) => button.getAttribute('aria-label') ?? button.textContent
  frame.addEventListener('click', ({ target }) => {
    const button = target.closest('button')
    if (button) pressed = nameOf(button)
  })
  const observer = new MutationObserver(() => {
    if (frame.isConnected) return
    const same = pressed && [...root.querySelectorAll('button')].find((button) => nameOf(button) === pressed)
    if (same || !pressed) observer.disconnect()
    if (same) same.click()
  })
  observer.observe(root, { childList: true, subtree: true })
})()
