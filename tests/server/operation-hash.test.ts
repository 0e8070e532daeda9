import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { changeOnce } from '../../server/services/operations'
import type { OpId } from '../../src/domain/ids'
import { withServer } from './support/for-file'

const server = withServer()

/** A request as the client wrote it, and as two versions of the server parse it. */
const WRITTEN = ['POST', '/widgets', { coin: 'bitcoin' }]
const PARSED = ['POST', '/widgets', { coin: 'bitcoin', alerts: false }]
const PARSED_LATER = ['POST', '/widgets', { coin: 'bitcoin', alerts: false, sound: true }]

/** Asks for a change by a key; says whether it was made now or before. */
async function ask(op: OpId, asked: readonly unknown[], parsed: readonly unknown[]): Promise<string> {
  const caller = { kind: 'guest', anonymousHash: 'one' } as const
  const change = { caller, op, asked, parsed, now: server.clock() }
  const steps = { forEver: true, raises: 'nothing', make: async () => 'made', recall: async () => 'recalled' } as const
  return (await changeOnce(server.database, change, steps)).value
}

test('a retry is recognized after a deployment that gives a field of its body a new default', async () => {
  const op = randomUUID() as OpId
  expect(await ask(op, WRITTEN, PARSED)).toBe('made')
  expect(await ask(op, WRITTEN, PARSED_LATER)).toBe('recalled')
})

test('a retry is recognized by a key that an earlier version stored with the body as it understood it', async () => {
  const op = randomUUID() as OpId
  expect(await ask(op, PARSED, PARSED)).toBe('made')
  expect(await ask(op, WRITTEN, PARSED)).toBe('recalled')
  await expect(ask(op, ['POST', '/widgets', { coin: 'ethereum' }], PARSED_LATER)).rejects.toMatchObject({
    code: 'IDEMPOTENCY_KEY_REUSED',
  })
})
