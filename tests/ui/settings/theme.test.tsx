import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Window as HappyWindow } from 'happy-dom'
import { beforeEach, expect, test } from 'vitest'
import { SettingsPage } from '../../../src/features/settings/settings-page'
import { startLocalApp } from '../support/local-app'

const source = (path: string) => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8')
const script = source('public/theme.js')
/** The script in the page's head, which runs first. */
const load = () => {
  // oxlint-disable-next-line typescript/no-implied-eval -- a classic script, which cannot be imported
  new Function(script)()
}
const theme = () => document.documentElement.dataset['theme']
const system = (prefersColorScheme: 'light' | 'dark') =>
  act(() => {
    ;(window as unknown as HappyWindow).happyDOM.settings.device.prefersColorScheme = prefersColorScheme
    // happy-dom tells media queries only of a new size.
    ;(window as unknown as HappyWindow).happyDOM.setViewport({ width: prefersColorScheme === 'dark' ? 900 : 901 })
  })

beforeEach(() => {
  // oxlint-disable-next-line no-restricted-globals -- the theme is the one thing kept there
  localStorage.clear()
  document.head.innerHTML = '<meta name="theme-color" content="#fff"><meta name="theme-color" content="#000">'
  system('light')
})
const themeColors = () => [...document.querySelectorAll<HTMLMetaElement>('meta')].map((meta) => meta.content)

test('the theme of a user who has chosen none is that of the system, also after the system has changed', () => {
  load()
  expect(theme()).toBe('light')
  system('dark')
  load()
  expect(theme()).toBe('dark')
})

test('a chosen theme beats that of the system at once and at the next start, and recolours the browser bar', async () => {
  load()
  const app = await startLocalApp()
  app.render(<SettingsPage />)
  expect(screen.getByRole('button', { name: 'System', pressed: true })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Dark' }))
  expect(theme()).toBe('dark')
  expect(themeColors()).toEqual(['#0c0f14', '#0c0f14'])

  document.documentElement.removeAttribute('data-theme')
  load()
  expect(theme()).toBe('dark')

  await userEvent.click(screen.getByRole('button', { name: 'System' }))
  expect(theme()).toBe('light')
  expect(themeColors()).toEqual(['#f3f4f7', '#f3f4f7'])
})

test('index.html and theme.js give the browser bar the background colours of the page', () => {
  const tokens = source('src/ui/tokens.css')
  const pages = [...tokens.matchAll(/--bg-page: (#\w+)/g)].map((match) => match[1])
  const html = source('index.html')
  const metas = [...html.matchAll(/name="theme-color" content="(#\w+)"/g)].map((match) => match[1])
  expect(pages).toEqual(['#f3f4f7', '#0c0f14'])
  expect(metas).toEqual(pages)
  for (const page of pages) expect(script).toContain(page)
})
