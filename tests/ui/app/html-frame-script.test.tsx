import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fireEvent } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const script = readFileSync(join(import.meta.dirname, '../../../src/app/html-frame-script.js'), 'utf8')

const SHELL = '<div><a href="/settings">Settings</a><button>Menu</button><main></main></div>'
const WELCOME = '<button aria-label="Add ETH / BTC">+ Add</button><button>+ Add Your First Pair</button>'
const root = () => document.querySelector<HTMLElement>('#root')!
const named = (name: string) =>
  [...root().querySelectorAll<HTMLElement>('a, button')].find(
    (one) => (one.getAttribute('aria-label') ?? one.textContent) === name,
  )!

/** Puts a screen into the page, as React does with its first one and with each later one; returns the presses it gets. */
async function render(html: string): Promise<string[]> {
  const heard: string[] = []
  const screen = document.createElement('div')
  screen.innerHTML = html
  screen.addEventListener('click', ({ target }) => heard.push((target as HTMLElement).textContent))
  root().replaceChildren(screen)
  await vi.advanceTimersByTimeAsync(0)
  return heard
}

beforeEach(() => {
  vi.useFakeTimers()
  // A first visit to the dashboard: files that ran before this one leave their address behind.
  history.replaceState(null, '', '/')
  // oxlint-disable-next-line no-restricted-globals -- the script notes there that somebody has been here
  localStorage.clear()
  document.body.innerHTML = `<div id="root"></div><template data-media="all">${SHELL}</template>
    <template id="frame-welcome">${WELCOME}</template><template id="frame-outside" data-paths="/login"></template>`
  // oxlint-disable-next-line typescript/no-implied-eval -- a classic script, which cannot be imported
  new Function(script)()
})
afterEach(() => {
  document.body.replaceChildren()
  delete document.documentElement.dataset['welcomed']
})

test('a press before the app’s scripts have come presses the app’s button of the same name once', async () => {
  named('Add ETH / BTC').click()
  expect(await render(SHELL + WELCOME)).toEqual(['+ Add'])
  expect(await render(SHELL + WELCOME)).toEqual([])
})

test('a press before the app’s scripts have come presses a button that the app shows a second later', async () => {
  named('Add ETH / BTC').click()
  expect(await render(SHELL)).toEqual([])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await render(SHELL + WELCOME)).toEqual(['+ Add'])
})

test('a press before the app’s scripts have come presses nothing that the app shows hours later', async () => {
  named('Add ETH / BTC').click()
  await render(SHELL)
  await vi.advanceTimersByTimeAsync(3 * 3_600_000)
  expect(await render(SHELL + WELCOME)).toEqual([])
})

test.each([
  ['presses something else', () => fireEvent.pointerDown(document.body)],
  ['uses a key', () => fireEvent.keyDown(document.body, { key: 'Tab' })],
])('a press before the app’s scripts have come is dropped once the user %s', async (_, act) => {
  named('Add ETH / BTC').click()
  await render(SHELL)
  act()
  expect(await render(SHELL + WELCOME)).toEqual([])
})

test('the keyboard’s focus moves from the painted link to the app’s link of the same name', async () => {
  named('Settings').focus()
  await render(SHELL)
  expect(document.activeElement).toBe(named('Settings'))
  named('Settings').blur()
  await render(SHELL)
  expect(document.activeElement).toBe(document.body)
})

test('the focus that the app itself has set stays where it is', async () => {
  named('Settings').focus()
  root().innerHTML = SHELL
  named('Menu').focus()
  await vi.advanceTimersByTimeAsync(0)
  expect(document.activeElement).toBe(named('Menu'))
})
