import { expect, test } from 'vitest'
import type { CommandContext, CommandResult } from '../../src/db/command'
import { commitCheckpoints } from '../../src/db/commands/checkpoint-lists'
import { deleteDefaultCheckpoint, saveCheckpoint } from '../../src/db/commands/default-checkpoint'
import { takeBack } from '../../src/db/commands/take-back'
import { removeWidget, setAlerts, updateWidget } from '../../src/db/commands/widgets'
import type { HeldChange } from '../../src/db/held-change'
import { readBoard } from '../../src/db/board-rows'
import type { WidgetView } from '../../src/db/view'
import { userRecord } from '../db/support/people'
import { key, type Person, SAVED_AT } from '../server/support/person'
import { oneTab } from './support/one-tab'
import { signIn } from './support/sign-in'

const scene = oneTab({ env: { PREMIUM_MAX_CHECKPOINTS: '4' } })
const { board, context, later, sync } = scene
const HOLD = 11_000

type Tier = 'guest' | 'free' | 'premium'
type Change = (context: CommandContext, widget: WidgetView) => Promise<CommandResult<unknown>>

let elsewhere: Person
/** Changes that the browser has sent, in their order. */
let sent: string[]

/** Whether requests arrive; those that change something are noted. */
const network = (arrives: boolean) =>
  scene.browser.setWay(({ method, path }) => {
    if (method !== 'GET') sent.push(`${method} ${path.replace(/[\w-]{36}/g, ':id')}`)
    return arrives ? 'arrives' : 'lost-request'
  })

/** A pair with a threshold and as many checkpoints as its owner may have, but one for premium. */
async function start(tier: Tier): Promise<WidgetView> {
  const { server, browser, tab } = scene
  const user = tier === 'guest' ? null : await server.user({ premium: tier === 'premium' })
  if (user !== null) {
    const access = (await user.identity())['authorization']!.slice('Bearer '.length)
    await signIn(tab.db, userRecord(user.id, tier === 'premium'), { access, refresh: 'unused' }, server.clock())
  }
  elsewhere = user ?? server.guest(browser.guest)
  const { id } = await elsewhere.add('bitcoin', 'ethereum')
  await elsewhere.ask('PUT', `/widgets/${id}`, { high_threshold: 1e9 }, key(undefined))
  const path = `/widgets/${id}/checkpoints${tier === 'guest' ? '/anonymous' : ''}`
  for (const ratio of tier === 'premium' ? [11, 12, 13] : [11]) {
    await elsewhere.ask('POST', path, { ratio, timestamp: SAVED_AT, is_default: true }, key(undefined))
  }
  await sync('start')
  sent = []
  network(true)
  return (await board()).widgets[0]!
}

async function held(change: Change, widget: WidgetView): Promise<HeldChange> {
  let trace: HeldChange | undefined
  const hold = { ms: HOLD, onHeld: (one: HeldChange) => void (trace = one) }
  expect(await change({ ...context(), hold }, widget)).toMatchObject({ ok: true })
  return trace!
}

const dropTwo: Change = (given, { id, checkpoints }) => {
  const [one, two, ...left] = checkpoints.map((checkpoint) => checkpoint.id)
  return commitCheckpoints(given, id, { deleted: [one!, two!], order: left, defaultId: left[0]! })
}
// oxfmt-ignore
const CHANGES: readonly (readonly [name: string, change: Change, tiers: readonly Tier[], sends: Readonly<Partial<Record<Tier, readonly string[]>>>])[] = [
  ['clearing a threshold', (given, { id }) => updateWidget(given, id, { alerts: { high: { threshold: null, armed: true } } }), ['guest', 'free'], { guest: ['PUT /widgets/:id'] }],
  ['removing a pair', (given, { id }) => removeWidget(given, id), ['guest', 'premium'], { guest: ['DELETE /widgets/:id'] }],
  ['replacing a checkpoint', (given, { id }) => saveCheckpoint(given, id, 15), ['guest', 'premium'], { guest: ['POST /widgets/:id/checkpoints/anonymous'] }],
  ['deleting a checkpoint', (given, { id }) => deleteDefaultCheckpoint(given, id), ['guest', 'free', 'premium'], { guest: ['DELETE /widgets/:id/checkpoints/checkpoint'] }],
  ['deleting checkpoints in the dialog', dropTwo, ['premium'], { premium: ['DELETE /widgets/:id/checkpoints'] }],
]

test.each(CHANGES)(
  '%s, undone within ten seconds, is never sent, online or offline, and every tab shows the board as it was',
  async (_, change, tiers) => {
    for (const tier of tiers) {
      for (const online of [true, false]) {
        const widget = await start(tier)
        const before = await board()
        const there = await elsewhere.list()
        network(online)
        const trace = await held(change, widget)
        const other = scene.browser.open()
        expect(await readBoard(other.db)).toEqual(await board())
        for (let second = 1; second <= 10; second++) {
          later(1_000)
          await sync(second === 5 ? 'background' : 'command')
        }
        expect(await takeBack(context(), trace)).toMatchObject({ ok: true })
        network(true)
        later(60_000)
        await sync('online')
        expect(sent).toEqual([])
        expect(await board()).toEqual(before)
        expect(await readBoard(other.db)).toEqual(before)
        expect(await elsewhere.list()).toEqual(there)
        scene.browser.kill(other)
        await elsewhere.remove(widget.id)
      }
    }
  },
)

test.each(CHANGES)(
  '%s is sent once when the ten seconds are over, also where its tab was closed, and is not undone then',
  async (_, change, tiers, sends) => {
    const tier = tiers.find((one) => sends[one] !== undefined)!
    const widget = await start(tier)
    const trace = await held(change, widget)
    const due = scene.server.clock() + HOLD
    expect(await sync('command')).toBe(due)
    scene.browser.kill(scene.tab)
    later(HOLD)
    const next = scene.browser.open()
    await next.engine.sync('start')
    later(60_000)
    await next.engine.sync('tick')
    expect(sent).toEqual(sends[tier])
    expect(await takeBack(next.context, trace)).toEqual({
      ok: false,
      message: 'This has been sent or changed since, so nothing was undone.',
    })
    expect((await readBoard(next.db))!.changes).toEqual([])
  },
)

test('a later change of the pair waits for the held one, is sent after it, and stays where that is undone', async () => {
  const widget = await start('guest')
  const trace = await held((given, { id }) => deleteDefaultCheckpoint(given, id), widget)
  await setAlerts(context(), widget.id, true, null)
  later(5_000)
  await sync('command')
  expect(sent).toEqual([])
  await takeBack(context(), trace)
  await sync('command')
  expect(sent).toEqual(['PUT /widgets/:id'])
  expect(await elsewhere.list()).toMatchObject([{ notifications_enabled: true, checkpoints: [{ ratio: 11 }] }])
})

test('a list that comes while a change is held shows what other devices did, and the held change', async () => {
  const widget = await start('guest')
  const trace = await held((given, { id }) => removeWidget(given, id), widget)
  await elsewhere.add('solana', 'bitcoin')
  await elsewhere.ask('PUT', `/widgets/${widget.id}`, { high_threshold: 2e9 }, key(undefined))
  await sync('online')
  expect((await board()).widgets.map(({ coinA }) => coinA.id)).toEqual(['solana'])
  await takeBack(context(), trace)
  expect((await board()).widgets).toMatchObject([{ alerts: { high: { threshold: 2e9 } } }, {}])
})
