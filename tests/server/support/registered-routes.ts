import type { FastifyInstance } from 'fastify'

/** All routes that the app registers, such as "GET /api/v1/widgets/:id"; HEAD goes with GET. */
export function routesOf(app: FastifyInstance): string[] {
  // Fastify tells its routes as a drawn tree: each line one more part of an address, and the methods found there.
  const parts: string[] = []
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods] = /^([│ ]*)[├└]── (\S+)(?: \((.+)\))?$/.exec(line) ?? []
      if (part === '') return []
      const depth = indent.length / 4
      parts.splice(depth, Infinity, part)
      const path = parts.join('')
      return (methods ?? '')
        .split(', ')
        .flatMap((method) => (method === '' || method === 'HEAD' ? [] : [`${method} ${path}`]))
    })
}

/** Routes that the document leaves out, and why they give no user's data away. */
export const UNDOCUMENTED = {
  'GET /api/v1/openapi.json': 'the document itself',
  'GET /api/v1/coins/:id/icon.svg': 'a drawing',
  'GET /api/v1/alerts/channels/:id/unsubscribe': 'a page that a mail leads to',
  'POST /api/v1/alerts/channels/:id/unsubscribe': 'a program of mails asks, by RFC 8058',
  'GET /api/v1/policies/:policy/:version': 'texts for everybody',
  'POST /api/v1/billing/webhook': 'what the payment provider has signed',
  'GET /healthz': 'a probe',
  'GET /readyz': 'a probe',
  'GET /metrics': 'numbers of this process',
  'GET /.well-known/security.txt': 'the support address',
  'GET /.well-known/change-password': 'the way to a page',
}
