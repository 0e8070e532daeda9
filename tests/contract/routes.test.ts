import * as z from 'zod'
import { describe, expect, test } from 'vitest'
import { type Route, type RouteName, routes } from '../../src/contract/routes'

const all = Object.entries(routes) as [RouteName, Route][]

const parametersOf = ({ path }: Route): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)

describe.each(all)('route %s', (_name, route) => {
  test('the params schema of a route has exactly the parameters of its path', () => {
    expect(Object.keys(route.params?.shape ?? {}).toSorted()).toEqual(parametersOf(route).toSorted())
  })
  test('a route answers with a body unless its status is 204', () => {
    expect(route.answer === null).toBe(route.status === 204)
  })
  test('a GET route reads no body, and only a POST route answers with 201', () => {
    if (route.method === 'GET') expect(route.body).toBeUndefined()
    if (route.status === 201) expect(route.method).toBe('POST')
  })
  test('a route refuses unknown keys in its path parameters, its query and its body', () => {
    for (const part of [route.params, route.query, route.body]) {
      if (part === undefined) continue
      // A body of several forms refuses them in each.
      const forms = part instanceof z.ZodUnion ? part.options : [part]
      for (const form of forms) {
        const unknown = z.safeParse(form, { is_admin: true }).error?.issues ?? []
        expect(unknown.map(({ code }) => code)).toContain('unrecognized_keys')
      }
    }
  })
})

test('no two routes have the same method and path', () => {
  const calls = all.map(([, { method, path }]) => `${method} ${path.replaceAll(/:\w+/g, ':')}`)
  expect(new Set(calls).size).toBe(calls.length)
})

test('a fixed path segment is never a valid value of the parameter at its place in another route', () => {
  for (const [, fixed] of all) {
    for (const [, open] of all) {
      const [a, b] = [fixed.path.split('/'), open.path.split('/')]
      if (fixed.method !== open.method || a.length !== b.length) continue
      const differing = a.flatMap((part, i) => (part === b[i] ? [] : [[part, b[i]!] as const]))
      if (differing.some(([part, other]) => part.startsWith(':') || !other.startsWith(':'))) continue
      for (const [part, other] of differing) {
        const shape = open.params?.shape[other.slice(1)] as z.ZodType | undefined
        expect(shape?.safeParse(part).success, `${fixed.path} and ${open.path}`).toBe(false)
      }
    }
  }
  expect(routes.deleteAnonymousCheckpoint.path).toMatch(/\/checkpoints\/checkpoint$/)
})
