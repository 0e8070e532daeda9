import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../server/programs/listen'

function newApp() {
  const app = Fastify()
  onTestFinished(() => app.close())
  return app
}

test('a server names the port if another program uses that port', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  await expect(listen(newApp(), { host: '127.0.0.1', port, variables: ['HOST', 'PORT'] })).rejects.toThrow(
    `PORT: ${port} is in use by another program: end that one, or set another.`,
  )
})

test('a server names the variable and a host that is not an address of this machine', async () => {
  // Of a block that is for documentation (RFC 5737).
  await expect(
    listen(newApp(), { host: '192.0.2.1', port: 0, variables: ['METRICS_PORT', 'METRICS_PORT'] }),
  ).rejects.toThrow(
    'METRICS_PORT: 192.0.2.1 is not an address of this machine: set one that it has, or 0.0.0.0 for all.',
  )
})
