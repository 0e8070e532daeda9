import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'
import { type AddressKeys, addressKeys } from './address-keys'

const asking = new AsyncLocalStorage<AddressKeys>()

/** From where the request comes that is being handled; null outside of requests. */
export const askedFrom = (): AddressKeys | null => asking.getStore() ?? null

export const handleAsAskedFrom = <T>(ip: string, work: () => T): T => asking.run(addressKeys(ip), work)

/** Lets everything that a handler calls know from where the request comes. */
export function noteAddresses(app: FastifyInstance): void {
  // With `done`, so that the handler itself runs inside; not earlier, since bodies arrive in a context of their own.
  app.addHook('preHandler', (request, _reply, done) => handleAsAskedFrom(request.ip, done))
}
