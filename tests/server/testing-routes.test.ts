import { afterAll, beforeAll, expect, test } from 'vitest'
import { guest } from './support/guest'
import { testApp, type TestApp } from './support/test-app'
import { user } from './support/user'

let server: TestApp
beforeAll(async () => {
  server = await testApp({ env: { ENABLE_TESTING_ROUTES: 'true' } })
})
afterAll(() => server.close())

test('reset-user-state removes the widgets of the calling guest or user, and of no other owner', async () => {
  const people = [guest(server.app), guest(server.app), await user(server), await user(server)]
  for (const person of people) await person.add('bitcoin', 'ethereum')
  for (const person of [people[0], people[2]])
    expect((await person?.ask('POST', '/testing/reset-user-state'))?.status).toBe(204)
  expect(await Promise.all(people.map(async (person) => (await person.list()).length))).toEqual([0, 1, 0, 1])
})

test('reset-user-state exists neither as route nor in the OpenAPI document without ENABLE_TESTING_ROUTES', async () => {
  const usual = await testApp({ database: server.database })
  const me = guest(usual.app)
  await me.add('bitcoin', 'ethereum')
  expect((await me.ask('POST', '/testing/reset-user-state')).status).toBe(404)
  expect(await me.list()).toHaveLength(1)
  const document = (await usual.app.inject('/api/v1/openapi.json')).json<{ paths: object }>()
  expect(Object.keys(document.paths)).not.toContain('/api/v1/testing/reset-user-state')
  await usual.close()
})
