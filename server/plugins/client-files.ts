import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { NOT_THE_APP } from '../../src/domain/app-paths'
import { ApiError } from '../http/api-error'
import { sendError } from './errors'

const IMMUTABLE = 'public, max-age=31536000, immutable'

/** Files under /assets/ carry a hash in their name; everything else may change with the next deployment. */
const cacheControl = (path: string): string => (/[\\/]assets[\\/][^\\/]+$/.test(path) ? IMMUTABLE : 'no-cache')

/** True if a browser asks for a page, as opposed to a script, an image or data. */
function isNavigation(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  // Taken apart by hand: not every address that arrives is one that `new URL` takes. The router has decoded it before.
  const path = decodeURI(request.url.split('?', 1)[0]!.replace(/^https?:\/\/[^/]*/i, ''))
  if (NOT_THE_APP.test(path) || /\.[^/]+$/.test(path)) return false
  return request.headers.accept?.includes('text/html') ?? false
}

/** Serves the built app. An address that only the app knows gets the app's page; every other unknown address is a 404. */
export async function serveClient(app: FastifyInstance, folder: string | null | undefined): Promise<void> {
  const there = folder != null && existsSync(join(folder, 'index.html'))
  if (there) {
    await app.register(fastifyStatic, {
      root: folder,
      cacheControl: false,
      // The build has written brotli and gzip beside the files (server/cli/client-bundle.mjs), which have no address of their own.
      preCompressed: true,
      allowedPath: (path) => !/\.(br|gz)$/.test(path),
      setHeaders: (reply, path) => {
        reply.header('cache-control', cacheControl(path))
      },
    })
  }
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    if (there && isNavigation(request)) return reply.sendFile('index.html')
    return sendError(new ApiError('NO_SUCH_ROUTE', 'There is nothing at this address.'), request, reply)
  })
}
