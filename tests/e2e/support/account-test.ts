import { startAccountWorld, type AccountWorld } from './account-world'
import { newPerson, register, verify, type Person } from './person'
import { expect, test as base } from './test'

export { expect } from './test'

interface People {
  /** A person who has no account yet. */
  readonly stranger: Person
  /** A user with an account, a verified address and accepted policies, who is signed in nowhere. */
  readonly member: Person
}

/** Playwright's `test` with a server that sends real mails and knows a real identity provider. */
export const test = base.extend<People, { world: AccountWorld }>({
  world: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
    async ({}, use) => {
      const world = await startAccountWorld()
      await use(world)
      expect(await world.stop(), 'the server ends cleanly').toBe(0)
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ world }, use) => use(world.server.origin),
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
  stranger: async ({}, use) => use(newPerson()),
  member: async ({ world }, use) => {
    const person = newPerson()
    await register(world, person)
    await verify(world, person)
    await use(person)
  },
})
