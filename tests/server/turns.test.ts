import { expect, test } from 'vitest'
import { withServer } from './support/for-file'
import { newGuest } from './support/guest'

const server = withServer()

test('a burst of requests from one address keeps another address waiting for some of them, not for all', async () => {
  const answered: string[] = []
  const ask = async (remoteAddress: string) => {
    const headers = { 'x-anonymous-user-id': newGuest() }
    await server.app.inject({ url: '/api/v1/widgets', headers, remoteAddress })
    answered.push(remoteAddress)
  }
  await Promise.all([...Array.from({ length: 100 }, () => ask('192.0.2.1')), ask('198.51.100.1')])
  expect(answered).toHaveLength(101)
  expect(answered.indexOf('198.51.100.1')).toBeLessThan(50)
})
