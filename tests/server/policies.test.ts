import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { policies } from '../../src/contract/settings'
import { readPolicies } from '../../server/services/policies/policies'
import { testApp, type TestApp } from './support/test-app'

describe('shipped policies', () => {
  let server: TestApp
  beforeAll(async () => {
    server = await testApp()
  })
  afterAll(() => server.close())

  test('the API names version and path of the current terms and privacy policy, and serves each text at that path', async () => {
    const answer = await server.app.inject('/api/v1/policies/current')
    expect(answer.headers['cache-control']).toBe('no-cache')
    const { terms, privacy } = policies.parse(answer.json())
    for (const [{ version, path }, title] of [
      [terms, 'Terms of Use'],
      [privacy, 'Privacy Policy'],
    ] as const) {
      const text = await server.app.inject(path)
      expect([text.statusCode, text.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
      expect(text.headers['cache-control']).toContain('immutable')
      expect(text.payload.startsWith(`${title}\n\nVersion ${version}\n`)).toBe(true)
      expect(text.payload.length).toBeGreaterThan(3000)
    }
  })

  test('a policy version that does not exist is answered 404, and an invalid policy path 422', async () => {
    expect((await server.app.inject('/api/v1/policies/terms/2020-01-01')).statusCode).toBe(404)
    for (const path of ['terms/..%2f..%2fenv.ts', 'terms/latest', 'cookies/2026-11-21']) {
      expect((await server.app.inject(`/api/v1/policies/${path}`)).statusCode, path).toBe(422)
    }
  })
})

describe('policy folder', () => {
  let folder: string
  const write = (name: string, text = name) => writeFileSync(join(folder, name), text)
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ratio-policies-'))
    return () => rmSync(folder, { recursive: true })
  })

  test('the latest version of each policy is current, and the texts of earlier versions stay readable', () => {
    for (const name of ['terms-2026-09-30.txt', 'terms-2026-10-01.txt', 'privacy-2025-01-01.txt']) write(name)
    const store = readPolicies(folder)
    expect(store.current).toEqual({
      terms: { version: '2026-10-01', path: '/api/v1/policies/terms/2026-10-01' },
      privacy: { version: '2025-01-01', path: '/api/v1/policies/privacy/2025-01-01' },
    })
    expect(store.text('terms', '2026-09-30')).toBe('terms-2026-09-30.txt')
    expect(store.text('privacy', '2026-09-30')).toBeNull()
  })

  test('reading the policy folder throws an error that names a missing policy or an invalid file name', () => {
    write('terms-2026-01-01.txt')
    expect(() => readPolicies(folder)).toThrow('privacy')
    write('privacy-2026-01-01.txt')
    expect(() => readPolicies(folder)).not.toThrow()
    write('privacy-new.txt')
    expect(() => readPolicies(folder)).toThrow('privacy-new.txt')
  })
})
