import { expect } from 'vitest'
import { readAccountView } from '../../../src/db/identity'
import { MINUTE } from '../../../src/domain/granularity'
import { sendAs } from '../../../src/sync/request'
import { PASSWORD } from '../../server/support/accounts'
import type { TestApp } from '../../server/support/test-app'
import { seededRandom } from './random'
import { startTabs } from './tabs'

interface Game {
  readonly rounds: number
  /** Milliseconds by which the browser's clock is wrong, most of the time. */
  readonly clockError: number
  readonly seed: number
}

/**
 * Twenty tabs meet an expired token at once, round after round, while half of all requests or answers get lost. No user
 * is logged out by it; a refresh token of long ago, used by somebody else, ends the session for all.
 */
export async function playTwentyTabs(server: TestApp, { rounds, clockError, seed }: Game): Promise<void> {
  const random = seededRandom(seed)
  const browser = await startTabs(server, { market: false })
  const tabs = Array.from({ length: 20 }, () => browser.open())
  const tab = tabs[0]!
  const expire = () => server.clock.advance(20 * MINUTE)
  const askAll = () => Promise.all(tabs.map(({ env }) => sendAs(env, owner, { route: 'listWidgets' })))

  const email = await server.member()
  await tab.engine.call('logIn', { username: email, password: PASSWORD })
  const { owner, tokens } = await browser.session()
  for (let round = 0; round < rounds; round++) {
    // It is set right, and wrong again.
    browser.setClockError(round % 3 === 2 ? 0 : clockError)
    browser.setWay(() => (random.next() < 0.5 ? 'arrives' : random.next() < 0.7 ? 'lost-answer' : 'lost-request'))
    expire()
    await askAll()
    // By then a successor that was used has been so for longer than its predecessor is still taken.
    server.clock.advance(5 * MINUTE)
    await Promise.all(tabs.slice(0, 3).map(({ engine }) => engine.sync('tick')))
    expect(await readAccountView(tab.db), `seed ${seed}, round ${round}`).toMatchObject({ owner, expired: false })
  }
  browser.setWay(() => 'arrives')
  expire()
  expect((await askAll()).map(({ kind }) => kind)).toEqual(tabs.map(() => 'ok'))

  server.clock.advance(5 * MINUTE)
  expect((await server.refresh(tokens!.refresh)).body.error_code).toBe('INVALID_REFRESH_TOKEN')
  expire()
  await tab.engine.sync('tick')
  expect(await readAccountView(tab.db)).toMatchObject({ owner, expired: true })
  browser.close()
}
