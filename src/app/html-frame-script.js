// Paints the shell before the app's scripts have come: the build writes this into index.html, behind the templates. React
// replaces the shell by its own in one step. A press until then, and the focus, are passed on to the same control of the
// app.
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
  let focused
  const nameOf = (control) => control.getAttribute('aria-label') ?? control.textContent
  const same = (painted) =>
    painted && [...root.querySelectorAll(painted.localName)].find((control) => nameOf(control) === nameOf(painted))
  frame.addEventListener('click', ({ target }) => {
    pressed = target.closest('button') ?? pressed
  })
  // A pointer moves the focus, too, and may move it to nothing.
  frame.addEventListener('pointerdown', () => {
    focused = undefined
  })
  frame.addEventListener('focusin', ({ target }) => {
    focused = target
  })

  let replaced = false
  const observer = new MutationObserver(() => {
    if (frame.isConnected) return
    if (!replaced) {
      replaced = true
      // No later screen is meant, and the user may have gone on.
      const stop = () => observer.disconnect()
      setTimeout(stop, 3000)
      for (const type of ['pointerdown', 'keydown']) addEventListener(type, stop, { capture: true, once: true })
    }
    const toFocus = same(focused)
    if (toFocus) {
      focused = undefined
      if (document.activeElement === document.body) toFocus.focus({ preventScroll: true })
    }
    const toPress = same(pressed)
    if (toPress) {
      pressed = undefined
      toPress.click()
    }
    if (!pressed && !focused) observer.disconnect()
  })
  observer.observe(root, { childList: true, subtree: true })
})()
