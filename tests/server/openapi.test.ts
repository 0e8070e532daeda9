import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { type Route, statusOf } from '../../src/contract/route'
import { API_BASE, routes } from '../../src/contract/routes'
import { REVISION_HEADER } from '../../src/contract/stream'
import { withServer } from './support/for-file'
import type { Answered } from './support/person'

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<string, { readonly responses: Readonly<Record<string, { readonly headers?: object }>> } | undefined>
      >
    >
  >
}

let document: Document
const server = withServer({ env: { ENABLE_TESTING_ROUTES: 'true' } })
beforeAll(async () => {
  document = (await server.app.inject('/api/v1/openapi.json')).json()
})

const documented = (method: string, path: string): string[] =>
  Object.keys(document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]?.responses ?? {})
const statusesOf = ({ method, path }: Route): string[] => documented(method, `${API_BASE}${path}`)

/** A request that can be sent again: always with the same key. */
function repeatable(ask: (op: string) => Promise<Answered<unknown>>): () => Promise<Answered<unknown>> {
  const op = randomUUID()
  return () => ask(op)
}

test('a mutation repeated after its widget was removed answers 204, which the OpenAPI document lists for that route', async () => {
  const me = await server.user({ premium: true })
  const widget = (await me.add('bitcoin', 'ethereum')).id
  const [a, b] = [(await me.save(widget, 1)).body.id, (await me.save(widget, 2)).body.id]
  const changes: (readonly [Route, () => Promise<Answered<unknown>>])[] = [
    [routes.updateWidget, repeatable((op) => me.update(widget, { high_threshold: 2 }, op))],
    [routes.updateCheckpoint, repeatable((op) => me.change(widget, a, 3, op))],
    [routes.reorderCheckpoints, repeatable((op) => me.arrange(widget, [b, a], op))],
    [routes.setDefaultCheckpoint, repeatable((op) => me.prefer(widget, a, op))],
    [routes.deleteCheckpoint, repeatable((op) => me.drop(widget, a, op))],
    [routes.deleteCheckpoints, repeatable((op) => me.dropMany(widget, [b], op))],
  ]
  for (const [route, ask] of changes) expect((await ask()).status).toBe(statusOf(route))
  await me.remove(widget)
  for (const [route, ask] of changes) {
    expect((await ask()).status).toBe(204)
    expect(statusesOf(route), route.path).toContain('204')
  }
})

test('the OpenAPI document lists per route exactly its success status, 4XX, 5XX and, if any, its status for a removed resource', () => {
  for (const route of Object.values<Route>(routes)) {
    const gone = route.whenGone === undefined ? [] : [String(route.whenGone)]
    expect(statusesOf(route).toSorted(), route.path).toEqual(
      [String(statusOf(route)), ...gone, '4XX', '5XX'].toSorted(),
    )
  }
  expect(documented('GET', '/api/v3/simple/price')).toEqual(['200', '4XX', '5XX'])
})

test('the OpenAPI document declares X-Total-Count for counted lists, the revision of widgets where a route sends it, and no other success header', () => {
  for (const route of Object.values<Route>(routes)) {
    const { method, path, counted, revised } = route
    const operation = document.paths[`${API_BASE}${path}`.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
    const headers = operation?.responses[statusOf(route)]?.headers ?? {}
    expect(Object.keys(headers), path).toEqual([
      ...(counted ? ['X-Total-Count'] : []),
      ...(revised ? [REVISION_HEADER] : []),
    ])
  }
})

test('the OpenAPI document says of the daily closes that they are bytes, and in which order they stand', () => {
  const answer = document.paths[`${API_BASE}${routes.dailyCloses.path}`]?.['get']?.responses['200']
  expect(answer).toMatchObject({ content: { 'application/octet-stream': { schema: { format: 'binary' } } } })
  expect(JSON.stringify(answer)).toContain('RTD1')
})
