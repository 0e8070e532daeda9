import { createServer } from 'node:https'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { selfSigned } from './certificate'

/** A server on this machine that answers every address with a picture, as another origin than the app's. */
export interface ImageServer {
  readonly port: number
  /** Paths that were asked for, oldest first. */
  readonly seen: string[]
  stop(): Promise<void>
}

const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><circle cx="32" cy="32" r="32" fill="#f7931a"/></svg>'

export async function startImageServer(): Promise<ImageServer> {
  const seen: string[] = []
  const server = createServer(selfSigned(), ({ url = '' }, response) => {
    seen.push(url)
    // No CORS header: as the provider's own pictures.
    response.writeHead(200, { 'Content-Type': 'image/svg+xml' }).end(PICTURE)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { port: (server.address() as AddressInfo).port, seen, stop }
}
