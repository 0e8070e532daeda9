import { randomBytes } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compressAnswers } from '../../server/plugins/compression'

/** Texts of these many bytes that compress a little, as lists of ids do. */
const SIZES = { small: 900, quick: 3_000, large: 60_000 }
type Size = keyof typeof SIZES
const texts = Object.fromEntries(
  Object.entries(SIZES).map(([size, bytes]) => [size, randomBytes(bytes / 2).toString('hex')]),
) as Record<Size, string>

let app: FastifyInstance
beforeAll(async () => {
  app = Fastify()
  await compressAnswers(app)
  app.get<{ Params: { size: Size } }>('/:size', (request) => ({ text: texts[request.params.size] }))
})
afterAll(() => app.close())

const ask = (size: Size, encodings?: string) =>
  app.inject({ url: `/${size}`, headers: encodings === undefined ? {} : { 'accept-encoding': encodings } })

test('an answer below a kilobyte goes out plain, and every answer to a client that asks for no compression', async () => {
  for (const answer of [await ask('small', 'gzip, br'), await ask('quick'), await ask('large', 'identity')]) {
    expect(answer.headers['content-encoding']).toBeUndefined()
  }
  expect((await ask('small', 'gzip, br')).json()).toEqual({ text: texts.small })
})

test('a browser gets small and large answers as brotli, an older client as gzip, and each reads what was sent', async () => {
  for (const size of ['quick', 'large'] as const) {
    const brotli = await ask(size, 'gzip, deflate, br, zstd')
    const gzip = await ask(size, 'gzip')
    expect([brotli, gzip].map(({ headers }) => [headers['content-encoding'], headers['vary']])).toEqual([
      ['br', 'accept-encoding'],
      ['gzip', 'accept-encoding'],
    ])
    expect(JSON.parse(brotliDecompressSync(brotli.rawPayload).toString())).toEqual({ text: texts[size] })
    expect(JSON.parse(gunzipSync(gzip.rawPayload).toString())).toEqual({ text: texts[size] })
    expect(brotli.rawPayload.length).toBeLessThan(SIZES[size] * 0.7)
  }
})

test('a small answer is compressed at once, with its length; a large one in pieces, off the event loop', async () => {
  const [quick, large] = [await ask('quick', 'br'), await ask('large', 'br')]
  expect(quick.headers['content-length']).toBe(String(quick.rawPayload.length))
  expect(large.headers['content-length']).toBeUndefined()
})
