import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { pino } from 'pino'
import { beforeAll, expect, test } from 'vitest'
import { fakeMarket } from './support/fake-market'

import { withServer } from './support/for-file'

const written: string[] = []
const market = { ...fakeMarket(), coins: () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:5432')) }
const logger = pino({ level: 'error' }, { write: (line) => void written.push(line) })
const server = withServer({ market, deps: { logger } })
beforeAll(() => server.app.listen({ host: '127.0.0.1', port: 0 }))

test('an internal error answers with nothing but a request id, under which the server logs the cause', async () => {
  const answer = await server.app.inject('/api/v1/coins/supported')
  expect(answer.statusCode).toBe(500)
  const body = answer.json<{ request_id: string }>()
  expect(body).toEqual({
    detail: 'Something went wrong.',
    error_code: 'INTERNAL_ERROR',
    request_id: expect.any(String),
  })
  expect(answer.headers['x-request-id']).toBe(body.request_id)
  const logged = written.map((line) => JSON.parse(line) as { reqId: string; err: { message: string } })
  expect(logged.find(({ reqId }) => reqId === body.request_id)?.err.message).toContain('ECONNREFUSED')
})

test('a validation error lists each wrong member of the request body by its path', async () => {
  const answer = await server.guest().create({ coin_a_id: 'a b', coin_b_id: 'ethereum', high_threshold: '5', extra: 1 })
  expect(answer.status).toBe(422)
  expect(answer.body.error_code).toBe('VALIDATION_ERROR')
  const paths = answer.body.errors?.map(({ path }) => path).toSorted()
  expect(paths).toEqual(['body', 'body.coin_a_id', 'body.high_threshold'])
})

test('a request body of more than 64 KiB is refused with 413, a body of exactly 64 KiB is read, and either has 30 s to arrive', async () => {
  expect(server.app.server.requestTimeout).toBe(30_000)
  const me = server.guest()
  const sized = (bytes: number) => ({ ordered_ids: ['x'.repeat(bytes - '{"ordered_ids":[""]}'.length)] })
  const tooLarge = await me.reorder(sized(65_537).ordered_ids)
  expect([tooLarge.status, tooLarge.body.error_code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  expect((await me.reorder(sized(65_536).ordered_ids)).body.error_code).toBe('VALIDATION_ERROR')
})

test('a request body that is not valid UTF-8 is refused with 422', async () => {
  const payload = Buffer.concat([Buffer.from('{"ordered_ids":["'), Buffer.from([0xff]), Buffer.from('"]}')])
  const headers = { 'x-anonymous-user-id': server.guest().id, 'content-type': 'application/json' }
  const answer = await server.app.inject({ method: 'POST', url: '/api/v1/widgets/reorder', headers, payload })
  expect([answer.statusCode, answer.json<{ detail: string }>().detail]).toEqual([422, 'The body is not valid UTF-8.'])
})

test('a DELETE request with a JSON content type and no body is accepted', async () => {
  const me = server.guest()
  const { id } = await me.add('bitcoin', 'ethereum')
  const answer = await server.app.inject({
    method: 'DELETE',
    url: `/api/v1/widgets/${id}`,
    headers: { 'x-anonymous-user-id': me.id, 'content-type': 'application/json' },
  })
  expect(answer.statusCode).toBe(204)
})

test('a DELETE request’s unneeded body is ignored, even when deeply nested or different on repetition', async () => {
  const me = server.guest()
  const { id } = await me.add('bitcoin', 'ethereum')
  const headers = { ...(await me.identity()), 'content-type': 'application/json', 'idempotency-key': randomUUID() }
  const remove = async (payload: string) => {
    const answer = await server.app.inject({ method: 'DELETE', url: `/api/v1/widgets/${id}`, headers, payload })
    return [answer.statusCode, answer.headers['idempotent-replayed']]
  }
  expect(await remove('['.repeat(30_000) + ']'.repeat(30_000))).toEqual([204, undefined])
  expect(await remove('{"why":"because"}')).toEqual([204, 'true'])
})

/** Bytes that the server writes to a connection before it closes it. */
async function raw(request: string): Promise<{ status: string; body: unknown }> {
  const socket = connect((server.app.server.address() as AddressInfo).port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => (text += String(chunk)))
  socket.write(request)
  await once(socket, 'close')
  const [head = '', body = ''] = text.split('\r\n\r\n')
  return { status: head.split('\r\n')[0] ?? '', body: JSON.parse(body) }
}

test('bytes that are not HTTP get a 400 JSON error, and an overlong request line gets 431', async () => {
  expect(await raw('HELLO\r\n\r\n')).toEqual({
    status: 'HTTP/1.1 400 Bad Request',
    body: { detail: 'This is not a valid HTTP request.', error_code: 'VALIDATION_ERROR' },
  })
  const long = await raw(`GET /api/v1/config?${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`)
  expect(long.status).toBe('HTTP/1.1 431 Request Header Fields Too Large')
})
