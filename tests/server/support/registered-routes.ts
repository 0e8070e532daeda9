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
