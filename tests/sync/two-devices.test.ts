import { afterEach, beforeEach, expect, test } from 'vitest'
import { updateWidget } from '../../src/db/commands/widgets'
import { loadSetup, previewSetup } from '../../src/db/setup'
import { INITIAL_SETTINGS, settingsInFile } from '../../src/db/widget-settings'
import { readBoard } from '../../src/db/board-rows'
import { MINUTE } from '../../src/domain/granularity'
import type { CoinId } from '../../src/domain/ids'
import type { Setup } from '../../src/domain/setup-file'
import { PASSWORD } from '../server/support/accounts'
import { newUser } from '../server/support/new-user'
import { setPremium } from './histories/people'
import { oneTab } from './support/one-tab'
import { startTabs, type Tab, type TabsBrowser } from './support/tabs'

const scene = oneTab()
/** Another browser of the same user. */
let elsewhere: TabsBrowser
let other: Tab
beforeEach(async () => {
  elsewhere = await startTabs(scene.server, { market: false })
  other = elsewhere.open()
})
afterEach(() => elsewhere.close())

async function onBothDevices() {
  const { id, email } = await newUser(scene.server.database, scene.server.clock(), { password: PASSWORD })
  await setPremium(scene.server, id, true)
  for (const { engine } of [scene.tab, other]) {
    await engine.call('logIn', { username: email, password: PASSWORD })
    await engine.sync('start')
  }
  return { id, email }
}

const SETUP: Setup = {
  device: {},
  pairs: (['ethereum', 'solana'] as CoinId[]).map((quote) => ({
    ...settingsInFile(INITIAL_SETTINGS),
    base: 'bitcoin' as CoinId,
    quote,
    high: 20,
    high_armed: false,
    checkpoints: [3, 4].map((ratio) => ({ ratio, saved_at: '2026-01-01T00:00:00.000Z', is_default: ratio === 4 })),
    rules: [],
  })),
}

async function load({ context }: Tab): Promise<void> {
  const planned = await previewSetup(context.db, SETUP)
  if (planned?.ok !== true) throw new Error(planned?.problem)
  expect(await loadSetup(context, SETUP, planned.plan)).toMatchObject({ ok: true })
}

const shownTo = async ({ db }: Tab) =>
  (await readBoard(db))!.widgets.map(({ coinB, alerts, checkpoints }) => [
    coinB.id,
    alerts.high.threshold,
    alerts.low.threshold,
    checkpoints.map(({ ratio }) => ratio),
  ])

/** How the device that was offline learns that the pairs are there: by the answer to a create, or by the list. */
const LEARNS = [
  ['the refusal of its creates', false],
  ['the list', true],
] as const

test.each(LEARNS)(
  'a setup that another device has loaded as well adds each checkpoint once, where this one learns of it by %s',
  async (_, byList) => {
    await onBothDevices()
    scene.offline()
    await load(scene.tab)
    await updateWidget(scene.context(), (await scene.board()).widgets[0]!.id, { alerts: { low: { threshold: 2 } } })
    await load(other)
    await other.engine.sync('command')
    // The creates are not sent while the list is asked for.
    scene.browser.setWay(({ method }) => (byList && method === 'POST' ? 'lost-request' : 'arrives'))
    await scene.syncFor(2 * MINUTE)
    scene.online()
    await scene.syncFor(10 * MINUTE)
    await other.engine.sync('online')
    // The user's own change of the pair after the setup is done all the same.
    const whole = [
      ['ethereum', 20, 2, [3, 4]],
      ['solana', 20, null, [3, 4]],
    ]
    expect([await shownTo(scene.tab), await shownTo(other)]).toEqual([whole, whole])
    expect([(await scene.board()).changes, await scene.notices()]).toEqual([[], []])
  },
)
