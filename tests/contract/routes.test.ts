import type * as z from 'zod'
import { describe, expect, test } from 'vitest'
import { type Route, type RouteName, routes } from '../../src/contract/routes'

const all = Object.entries(routes) as [RouteName, Route][]

const parametersOf = ({ path }: Route): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)

describe.each(all)('%s', (_name, route) => {
  test('checks exactly the parameters that its path has', () => {
    expect(Object.keys(route.params?.shape ?? {}).toSorted()).toEqual(parametersOf(route).toSorted())
  })
  test('answers with something, unless its status says that there is nothing', () => {
    expect(route.answer === null).toBe(route.status === 204)
  })
  test('reads nothing and makes nothing that its method does not say', () => {
    if (route.method === 'GET') expect(route.body).toBeUndefined()
    if (route.status === 201) expect(route.method).toBe('POST')
  })
  test('refuses what it does not know', () => {
    for (const part of [route.params, route.query, route.body]) {
      if (part === undefined) continue
      const unknown = part.safeParse({ is_admin: true }).error?.issues ?? []
      expect(unknown.map(({ code }) => code)).toContain('unrecognized_keys')
    }
  })
})

test('no two routes are the same call', () => {
  const calls = all.map(([, { method, path }]) => `${method} ${path.replaceAll(/:\w+/g, ':')}`)
  expect(new Set(calls).size).toBe(calls.length)
})

test('what a path says where another has a parameter can never be one', () => {
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
