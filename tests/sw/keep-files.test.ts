import { afterEach, expect, test, vi } from 'vitest'
import { keepFiles } from '../../sw/keep-files'

const hashed = Array.from({ length: 20 }, (_, index) => `https://app.test/assets/${index}.js`)
const page = ['https://app.test/index.html', 'https://app.test/index.html?revision=abc'] as const
const files = [page, ...hashed.map((url) => [url, url] as const)]

afterEach(() => vi.unstubAllGlobals())

test('files are kept six at a time, those kept before stay, and the page is fetched past the browser’s cache once all others are there', async () => {
  const asked: string[] = []
  let open = 0
  let most = 0
  let missing = hashed[3]
  vi.stubGlobal('fetch', async ({ url, cache }: Request) => {
    asked.push(`${cache} ${url}`)
    most = Math.max(most, (open += 1))
    await new Promise(setImmediate)
    open -= 1
    return new Response('', { status: url === missing ? 404 : 200 })
  })
  const kept = new Set([hashed[7]])
  const cache = {
    keys: async () => [...kept].map((url) => ({ url })),
    put: async (key: string) => void kept.add(key),
  } as unknown as Cache
  await expect(keepFiles(files, cache)).rejects.toThrow(/3\.js was answered with 404/)
  expect(asked).toEqual(hashed.filter((url) => url !== hashed[7]).map((url) => `default ${url}`))
  expect(most).toBe(6)
  expect(kept.size).toBe(19)

  asked.length = 0
  missing = ''
  await keepFiles(files, cache)
  expect(asked).toEqual([`default ${hashed[3]}`, `reload ${page[0]}`])
  expect(kept.has(page[1])).toBe(true)
})
