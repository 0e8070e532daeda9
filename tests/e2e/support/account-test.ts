import type { AccountWorld } from './account-world'
import { newPerson, register, verify, type Person } from './person'
import { test as base } from './test'

export { expect } from './test'

interface People {
  /** The server that sends real mails and knows a real identity provider. */
  readonly world: AccountWorld
  /** A person who has no account yet. */
  readonly stranger: Person
  /** A user with an account, a verified address and accepted policies, who is signed in nowhere. */
  readonly member: Person
}

/** Playwright's `test` for people who register, sign in and read their mails. */
export const test = base.extend<People>({
  world: async ({ sharedWorld }, use) => use(sharedWorld),
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
