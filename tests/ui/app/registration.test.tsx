import { afterEach, beforeEach, expect, test, vi } from 'vitest'

class Worker extends EventTarget {
  readonly scriptURL = new URL('/sw.js', location.href).href
  readonly postMessage = vi.fn()
  state: ServiceWorkerState = 'installing'

  turns(state: ServiceWorkerState) {
    this.state = state
    this.dispatchEvent(new Event('statechange'))
  }
}
class Container extends EventTarget {
  controller: Worker | null = null
  readonly active = new Worker()
  readonly ready = Promise.resolve({ active: this.active })
  readonly registration = Object.assign(new EventTarget(), {
    installing: null as Worker | null,
    waiting: null as Worker | null,
    update: vi.fn(),
  })
  readonly register = vi.fn(async () => this.registration)

  /** The browser has found a script it does not know, and begins to install it. */
  finds(worker: Worker) {
    this.registration.installing = worker
    this.registration.dispatchEvent(new Event('updatefound'))
  }

  takesOver(worker: Worker) {
    this.controller = worker
    this.dispatchEvent(new Event('controllerchange'))
  }
}

let reload: ReturnType<typeof vi.fn>
let browser: Container
beforeEach(() => {
  vi.resetModules()
  browser = new Container()
  reload = vi.spyOn(location, 'reload').mockReturnValue()
  Object.defineProperty(navigator, 'serviceWorker', { value: browser, configurable: true })
})
afterEach(() => {
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

/** The page's registration once the browser has answered it. */
async function registered(onUpdateReady = () => {}) {
  const { registerWorker } = await import('../../../src/app/bridge/registration')
  const registration = registerWorker(onUpdateReady)
  await vi.waitFor(() => expect(browser.register).toHaveBeenCalled(), 10_000)
  await new Promise((resolve) => setTimeout(resolve))
  return registration
}

test('each start asks the active service worker for what the first installation has left out', async () => {
  await registered()
  expect(browser.active.postMessage).toHaveBeenCalledExactlyOnceWith({ type: 'KEEP_ALL' })
})

test('the first service worker takes over without a reload, and an accepted update reloads the page', async () => {
  const registration = await registered()
  browser.takesOver(new Worker())
  expect(reload).not.toHaveBeenCalled()

  const next = new Worker()
  browser.registration.waiting = next
  registration.applyUpdate()
  expect(next.postMessage).toHaveBeenCalledOnce()
  browser.takesOver(next)
  expect(reload).toHaveBeenCalledOnce()
})

test('a tab on its first visit reloads when a new service worker version is accepted in another tab', async () => {
  await registered()
  browser.takesOver(new Worker())
  browser.takesOver(new Worker())
  expect(reload).toHaveBeenCalledOnce()
})

test('a page loaded without its service worker reloads once when the user accepts an update', async () => {
  const registration = await registered()
  registration.applyUpdate()
  browser.takesOver(new Worker())
  expect(reload).toHaveBeenCalledOnce()
})

test('an update is offered for a service worker that waits, not for the first one, which the page runs already', async () => {
  const offer = vi.fn()
  await registered(offer)
  const first = new Worker()
  browser.finds(first)
  first.turns('installed')
  first.turns('activating')
  first.turns('activated')

  const next = new Worker()
  browser.finds(next)
  browser.registration.waiting = next
  next.turns('installed')
  await vi.waitFor(() => expect(offer).toHaveBeenCalled(), 10_000)
  expect(offer).toHaveBeenCalledOnce()
})
