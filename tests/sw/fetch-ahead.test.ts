import { expect, test } from 'vitest'
import { fetchAhead } from '../../sw/fetch-ahead'

const hashed = Array.from({ length: 20 }, (_, index) => `https://app.test/assets/${index}.js`)

test('hashed files are put into the precache six at a time, the last first, though one fails, and those in it stay', async () => {
  const asked: string[] = []
  let open = 0
  let most = 0
  const precache = {
    match: async (url: string) => (url === hashed[7] ? new Response('') : undefined),
    add: async ({ url }: Request) => {
      asked.push(url)
      most = Math.max(most, (open += 1))
      await new Promise(setImmediate)
      open -= 1
      if (url === hashed[3]) throw new TypeError('Failed to fetch')
    },
  }
  const files = [...hashed.map((url) => ({ url, revision: null })), { url: 'index.html', revision: 'abc' }]
  await fetchAhead(files, precache as unknown as Cache)
  expect(asked).toEqual(hashed.filter((url) => url !== hashed[7]).toReversed())
  expect(most).toBe(6)
})
