import * as z from 'zod/mini'
import { describe, expect, test } from 'vitest'
import type { Route } from '../../src/contract/route'
import { type RouteName, routes } from '../../src/contract/routes'
import { feedbackBody } from '../../src/contract/settings'
import { LONGEST_FEEDBACK, SHORTEST_FEEDBACK } from '../../src/domain/account'
import { alertMessage } from '../../src/contract/alerts'

const all = Object.entries(routes) as [RouteName, Route][]

const parametersOf = ({ path }: Route): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)

describe.each(all)('route %s', (_name, route) => {
  test('the params schema of a route has exactly the parameters of its path', () => {
    expect(Object.keys(route.params?.shape ?? {}).toSorted()).toEqual(parametersOf(route).toSorted())
  })
  test('a route answers with a schema unless its status is 204 or its answer is bytes', () => {
    expect(route.answer === null).toBe(route.status === 204 || route.media !== undefined)
  })
  test('a GET route reads no body, and only a POST route answers with 201', () => {
    if (route.method === 'GET') expect(route.body).toBeUndefined()
    if (route.status === 201) expect(route.method).toBe('POST')
  })
  test('a route refuses unknown keys in its path parameters, its query and its body', () => {
    for (const part of [route.params, route.query, route.body]) {
      if (part === undefined) continue
      // A body of several forms refuses them in each.
      const forms = part instanceof z.ZodMiniUnion ? part.def.options : [part]
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
        const shape = open.params?.shape[other.slice(1)] as z.ZodMiniType | undefined
        expect(shape?.safeParse(part).success, `${fixed.path} and ${open.path}`).toBe(false)
      }
    }
  }
  expect(routes.deleteAnonymousCheckpoint.path).toMatch(/\/checkpoints\/checkpoint$/)
})

const parse = (message: string) => feedbackBody.safeParse({ message }).data?.message

test('the length of feedback is judged without the spaces around it', () => {
  const shortest = 'x'.repeat(SHORTEST_FEEDBACK)
  const longest = 'x'.repeat(LONGEST_FEEDBACK)
  expect(parse(`  ${shortest}\n`)).toBe(shortest)
  expect(parse(` ${longest} `)).toBe(longest)
  expect(parse(`${shortest.slice(1)} `)).toBeUndefined()
  expect(parse(`${longest}x`)).toBeUndefined()
})

const message = {
  type: 'alert',
  event_id: '019afb2e-0000-7000-8000-000000000001:low:1',
  owner: 'a'.repeat(43),
  widget_id: '019afb2e-0000-7000-8000-000000000001',
  coin_a_id: 'bitcoin',
  coin_b_id: 'ethereum',
  pair: 'BTC / ETH',
  side: 'low',
  epoch: 1,
  ratio: 20,
  threshold: 25,
  crossed_at: '2026-01-02T03:04:05.000Z',
}

test('an alert message may carry the ratio 0 of a coin that fell to nothing, but no threshold of 0', () => {
  expect(alertMessage.parse({ ...message, ratio: 0 })).toEqual({ ...message, ratio: 0 })
  expect(alertMessage.safeParse({ ...message, ratio: -1 }).success).toBe(false)
  expect(alertMessage.safeParse({ ...message, threshold: 0 }).success).toBe(false)
})
