import type { FastifyInstance } from 'fastify'
import type { Env } from '../env'

/** @throws Error with a sentence for the operator where HOST or PORT cannot be had */
export async function listen(app: FastifyInstance, { HOST, PORT }: Pick<Env, 'HOST' | 'PORT'>): Promise<void> {
  try {
    await app.listen({ host: HOST, port: PORT })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new Error(`PORT: ${PORT} is in use by another program: end that one, or set another.`, { cause: error })
    if (code === 'EACCES')
      throw new Error(
        `PORT: ${PORT} may not be used by this user: ports below 1024 need rights, so set a higher one.`,
        { cause: error },
      )
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new Error(`HOST: ${HOST} is not an address of this machine: set one that it has, or 0.0.0.0 for all.`, {
        cause: error,
      })
    }
    throw error
  }
}
