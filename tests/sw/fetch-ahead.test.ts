import { afterEach, expect, test, vi } from 'vitest'
import { fetchAhead } from '../../sw/fetch-ahead'

afterEach(() => {
  vi.unstubAllGlobals()
})

test('hashed files are fetched six at a time ahead of the installation, each once, though one of them fails', async () => {
  const asked: string[] = []
  let open = 0
  let most = 0
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url)
    most = Math.max(most, (open += 1))
    await Promise.resolve()
    open -= 1
    if (url === 'assets/3.js') throw new TypeError('Failed to fetch')
    return new Response('')
  })
  const hashed = Array.from({ length: 20 }, (_, index) => `assets/${index}.js`)
  await fetchAhead([...hashed.map((url) => ({ url, revision: null })), { url: 'index.html', revision: 'abc' }])
  expect(asked).toEqual(hashed)
  expect(most).toBe(6)
})
