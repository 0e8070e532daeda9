import type { FastifyInstance } from 'fastify'

/** An address, and the variables that name its parts. */
export interface ListenAddress {
  readonly host: string
  readonly port: number
  readonly variables: readonly [host: string, port: string]
}

/** @throws Error with a sentence for the operator where host or port cannot be had */
export async function listen(app: FastifyInstance, { host, port, variables }: ListenAddress): Promise<void> {
  const [ofHost, ofPort] = variables
  try {
    await app.listen({ host, port })
  } catch (error) {
    const refuse = (sentence: string) => new Error(sentence, { cause: error })
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      throw refuse(`${ofPort}: ${port} is in use by another program: end that one, or set another.`)
    }
    if (code === 'EACCES') {
      throw refuse(
        `${ofPort}: ${port} may not be used by this user: ports below 1024 need rights, so set a higher one.`,
      )
    }
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw refuse(`${ofHost}: ${host} is not an address of this machine: set one that it has, or 0.0.0.0 for all.`)
    }
    throw error
  }
}
