import { afterEach, beforeEach } from 'vitest'
import { addWidget } from '../../../src/db/commands/widgets'
import type { Call, CallResult } from '../../../src/db/call'
import type { AccountView } from '../../../src/db/account'
import { readAccountView } from '../../../src/db/identity'
import { readBoard } from '../../../src/db/board-rows'
import { readNotices } from '../../../src/db/notices'
import type { BoardView } from '../../../src/db/view'
import type { CommandContext } from '../../../src/db/command'
import type { SyncReason } from '../../../src/domain/sync-reason'
import type { CoinId } from '../../../src/domain/ids'
import { PASSWORD } from '../../server/support/accounts'
import { withServer } from '../../server/support/for-file'
import type { FakeMarket } from '../../server/support/fake-market'
import type { AppOptions, TestApp } from '../../server/support/test-app'
import { startTabs, type Tab, type TabsBrowser } from './tabs'

type Options = AppOptions<FakeMarket>

/** A browser with one tab before the real server, anew for each test of a file. */
export interface OneTab {
  readonly server: TestApp
  readonly browser: TabsBrowser
  readonly tab: Tab
  readonly view: () => Promise<AccountView>
  readonly call: Call
  readonly logInHere: (email: string, password?: string) => Promise<CallResult<null>>
  /** Registers somebody and logs them in here; the email address. */
  readonly memberHere: () => Promise<string>
  /** Adds BTC against another coin; it waits until a sync. */
  readonly addPair: (coin: string) => Promise<unknown>
  /** Quote coins of the pairs on the board. */
  readonly pairs: () => Promise<readonly string[]>
  readonly notices: () => Promise<readonly string[]>
  readonly offline: () => void
  readonly online: () => void
  readonly later: (ms: number) => void
  readonly board: () => Promise<BoardView>
  readonly context: () => CommandContext
  readonly sync: (reason?: SyncReason) => Promise<number | null>
  /** Syncs as a visible page does, or one that wakes up more rarely, until so much time has passed. */
  readonly syncFor: (ms: number, pause?: number) => Promise<void>
}

/**
 * Prices, histories and closes, nearly half of all requests, are out of reach: no test with one tab is about them.
 *
 * @param options of the server, one for all tests of a file
 */
export function oneTab(options?: Options | (() => Options)): OneTab {
  const server = withServer(options)
  let browser: TabsBrowser
  let tab: Tab
  beforeEach(async () => {
    browser = await startTabs(server, { market: false })
    tab = browser.open()
  })
  afterEach(() => browser.close())
  const board = async () => (await readBoard(tab.db))!
  const later = (ms: number) => server.clock.advance(ms)
  const sync = (reason: SyncReason = 'tick') => tab.engine.sync(reason)
  const logInHere: OneTab['logInHere'] = (email, password = PASSWORD) =>
    tab.engine.call('logIn', { username: email, password })
  return {
    server,
    get browser() {
      return browser
    },
    get tab() {
      return tab
    },
    view: async () => (await readAccountView(tab.db))!,
    call: (route, input) => tab.engine.call(route, input),
    logInHere,
    async memberHere() {
      const email = await server.member()
      await logInHere(email)
      return email
    },
    addPair: (coin) => addWidget(tab.context, { coinA: 'bitcoin' as CoinId, coinB: coin as CoinId }),
    pairs: async () => (await board()).widgets.map(({ coinB }) => coinB.id),
    notices: async () => (await readNotices(tab.db)).map(({ message }) => message),
    offline: () => browser.setWay(() => 'lost-request'),
    online: () => browser.setWay(() => 'arrives'),
    later,
    board,
    context: () => tab.context,
    sync,
    syncFor: async (ms, pause = 75_000) => {
      for (let passed = 0; passed < ms; passed += pause) {
        later(pause)
        await sync()
      }
    },
  }
}
