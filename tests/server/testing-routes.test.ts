import { expect, test } from 'vitest'
import { withServer } from './support/for-file'
import { testApp } from './support/test-app'

const server = withServer({ env: { ENABLE_TESTING_ROUTES: 'true' } })

test('reset-user-state removes the widgets of the calling guest or user, and of no other owner', async () => {
  const people = [server.guest(), server.guest(), await server.user(), await server.user()]
  for (const person of people) await person.add('bitcoin', 'ethereum')
  for (const person of [people[0], people[2]])
    expect((await person?.ask('POST', '/testing/reset-user-state'))?.status).toBe(204)
  expect(await Promise.all(people.map(async (person) => (await person.list()).length))).toEqual([0, 1, 0, 1])
})

test('reset-user-state exists neither as route nor in the OpenAPI document without ENABLE_TESTING_ROUTES', async () => {
  const usual = await testApp({ database: server.database })
  const me = usual.guest()
  await me.add('bitcoin', 'ethereum')
  expect((await me.ask('POST', '/testing/reset-user-state')).status).toBe(404)
  expect(await me.list()).toHaveLength(1)
  const document = (await usual.app.inject('/api/v1/openapi.json')).json<{ paths: object }>()
  expect(Object.keys(document.paths)).not.toContain('/api/v1/testing/reset-user-state')
  await usual.close()
})
