import { expect, test } from 'vitest'
import { discardChange } from '../../src/db/commands/failed-changes'
import { removeWidget, reorderWidgets } from '../../src/db/commands/widgets'
import { setThreshold } from '../support/set-threshold'
import { saveCheckpoint } from '../../src/db/commands/default-checkpoint'
import type { OutboxEntry } from '../../src/db/outbox-entry'
import { HOUR, MINUTE } from '../../src/domain/granularity'
import { person } from '../server/support/person'
import { oneTab } from './support/one-tab'
import type { Fate, Sent, Way } from './support/tabs'
import { json } from './support/wire'

const scene = oneTab()
const { addPair, pairs, notices, later, board, sync, syncFor } = scene

const entries = (): Promise<OutboxEntry[]> => scene.tab.db.outbox.orderBy('seq').toArray()
const onServer = async () => {
  const { anonymous_id } = await scene.browser.session()
  const list = await person(scene.server.app, async () => ({ 'x-anonymous-user-id': anonymous_id })).list()
  return list.map(({ coin_b_id }) => coin_b_id)
}
const twoHours = () => syncFor(2 * HOUR, 5 * MINUTE)
const isCreateOf =
  (coin: string) =>
  ({ method, path, body }: Sent): boolean =>
    method === 'POST' && path === '/widgets' && body!.includes(coin)
/** The server answers so to what `which` picks, and does everything else. */
const answers =
  (which: (sent: Sent) => boolean, answer: () => Fate): Way =>
  (sent) =>
    which(sent) ? answer() : 'arrives'
const broken = () => new Response('oops', { status: 500 })
const isReorder = ({ path }: Sent) => path === '/widgets/reorder'

test.each(['UNAUTHENTICATED', 'INVALID_ANONYMOUS_ID'])(
  'one 401 %s does not stop a guest’s changes, and its sentence is shown meanwhile',
  async (code) => {
    await addPair('ethereum')
    let refused = false
    scene.browser.setWay(({ path }) => {
      if (refused || path !== '/widgets') return 'arrives'
      refused = true
      return json(401, { detail: 'An identity is required.', error_code: code })
    })
    await sync()
    expect((await board()).changes).toMatchObject([{ state: 'waiting', problem: 'An identity is required.' }])
    later(MINUTE)
    await sync()
    expect(await onServer()).toEqual(['ethereum'])
    expect((await board()).changes).toEqual([])
  },
)

test('a guest whose queue an earlier version has paused is served again', async () => {
  const { owner } = await scene.browser.session()
  await addPair('ethereum')
  await scene.tab.db.owners.put({ owner, applied_rev: 0, pulled_at: null, paused: true, needs_pull: false })
  await sync()
  expect(await onServer()).toEqual(['ethereum'])
})

const notFound = () => json(404, { detail: 'There is nothing at this address.', error_code: 'NOT_FOUND' })
test.each<[string, () => Response]>([
  ['NO_SUCH_ROUTE', () => json(404, { detail: 'There is nothing at this address.', error_code: 'NO_SUCH_ROUTE' })],
  ['the NOT_FOUND of an earlier server', notFound],
  ['a page of a proxy', () => new Response('<html>Not found</html>', { status: 404 })],
  ['an empty 404', () => new Response('', { status: 404 })],
])('a new pair and a saved checkpoint wait while their address is answered by %s', async (_, answer) => {
  await addPair('ethereum')
  await sync()
  await addPair('solana')
  await saveCheckpoint(scene.tab.context, (await board()).widgets[0]!.id, 5)
  scene.browser.setWay(({ method }) => (method === 'POST' ? answer() : 'arrives'))
  await syncFor(10 * MINUTE)
  expect(await notices()).toEqual([])
  expect((await board()).changes.map(({ state }) => state)).toEqual(['waiting', 'waiting'])
  scene.online()
  await syncFor(10 * MINUTE)
  expect(await onServer()).toEqual(['ethereum', 'solana'])
  const [first] = (await board()).widgets
  expect(first!.checkpoints.map(({ ratio }) => ratio)).toEqual([5])
})

test('the server says NO_SUCH_ROUTE for an unknown address, which is no verdict on a removal', async () => {
  await addPair('ethereum')
  await sync()
  await removeWidget(scene.tab.context, (await board()).widgets[0]!.id)
  const unknown = await scene.server.app.inject({ method: 'DELETE', url: '/api/v1/gadgets/1' })
  expect([unknown.statusCode, unknown.json<{ error_code: string }>().error_code]).toEqual([404, 'NO_SUCH_ROUTE'])
  scene.browser.setWay(({ method }) => (method === 'DELETE' ? json(404, unknown.json()) : 'arrives'))
  await syncFor(5 * MINUTE)
  expect([await pairs(), (await board()).changes.length, await notices()]).toEqual([[], 1, []])
})

test('a user’s checkpoint for a pair that another device has removed leaves a notice', async () => {
  await scene.logInHere(await scene.server.member())
  await addPair('ethereum')
  await sync()
  const [pair] = (await board()).widgets
  scene.offline()
  await saveCheckpoint(scene.tab.context, pair!.id, 5)
  const { tokens } = await scene.browser.session()
  await scene.server.app.inject({
    method: 'DELETE',
    url: `/api/v1/widgets/${pair!.id}`,
    headers: { authorization: `Bearer ${tokens!.access}` },
  })
  scene.online()
  await syncFor(5 * MINUTE)
  expect((await board()).changes).toEqual([])
  expect(await notices()).toEqual([
    'The checkpoint of BIT/ETH was not saved: it or its pair was already removed from server.',
  ])
})

test('a change refused with a code that this version does not know is refused with the server’s sentence', async () => {
  await addPair('ethereum')
  await addPair('solana')
  const newer = () => json(409, { detail: 'Not on Sundays.', error_code: 'SUNDAY' })
  scene.browser.setWay(answers(isCreateOf('ethereum'), newer))
  await sync()
  expect(await notices()).toEqual(['Failed to add BTC/ETH: Not on Sundays.'])
  expect(await onServer()).toEqual(['solana'])
})

test('a new pair answered with 500 again and again lets later pairs and orders pass, and arrives when it can', async () => {
  // The device has to know the tier's limits first.
  await sync()
  for (const coin of ['ethereum', 'cardano', 'solana']) await addPair(coin)
  scene.browser.setWay(answers(isCreateOf('ethereum'), broken))
  await sync()
  expect(await onServer()).toEqual([])
  await twoHours()
  expect(await onServer()).toEqual(['cardano', 'solana'])
  await reorderWidgets(scene.tab.context, (await board()).widgets.map(({ id }) => id).toReversed())
  await syncFor(5 * MINUTE)
  expect(await onServer()).toEqual(['solana', 'cardano'])
  expect((await board()).changes.map(({ title }) => title)).toEqual(['Add BIT/ETH'])
  scene.online()
  await syncFor(10 * MINUTE)
  expect(await onServer()).toEqual(['solana', 'cardano', 'ethereum'])
  expect((await board()).changes).toEqual([])
})

test('an order answered with 500 again and again lets pairs be added and removed', async () => {
  for (const coin of ['ethereum', 'cardano']) await addPair(coin)
  await sync()
  const { widgets } = await board()
  await reorderWidgets(scene.tab.context, widgets.map(({ id }) => id).toReversed())
  scene.browser.setWay(answers(isReorder, broken))
  await syncFor(MINUTE)
  await addPair('solana')
  await removeWidget(scene.tab.context, widgets[0]!.id)
  await twoHours()
  expect(await onServer()).toEqual(['cardano', 'solana'])
})

test('a pair added again while the server cannot remove it stays, and is not removed later', async () => {
  for (const coin of ['ethereum', 'cardano']) await addPair(coin)
  await sync()
  scene.browser.setWay(answers(({ method }) => method === 'DELETE', broken))
  await removeWidget(scene.tab.context, (await board()).widgets[0]!.id)
  await addPair('ethereum')
  await setThreshold(scene.tab.context, (await board()).widgets.at(-1)!.id, 'high', 99, false)
  // Something else that the server does meanwhile.
  await syncFor(MINUTE)
  await setThreshold(scene.tab.context, (await board()).widgets[0]!.id, 'high', 7, false)
  await twoHours()
  expect((await onServer()).toSorted()).toEqual(['cardano', 'ethereum'])
  scene.online()
  await syncFor(10 * MINUTE)
  expect((await onServer()).toSorted()).toEqual(['cardano', 'ethereum'])
  const known = (await board()).widgets.map(({ coinB, alerts }) => [coinB.id, alerts.high.threshold])
  expect(new Map(known as [string, number][])).toEqual(
    new Map([
      ['cardano', 7],
      ['ethereum', 99],
    ]),
  )
  expect([(await board()).changes, await notices()]).toEqual([[], []])
})

test('a server that answers nothing but 500 keeps the order of what waits', async () => {
  await addPair('ethereum')
  await addPair('solana')
  scene.browser.setWay(broken)
  await twoHours()
  expect((await entries()).map(({ attempts }) => attempts > 10)).toEqual([true, false])
  scene.online()
  await syncFor(10 * MINUTE)
  expect(await onServer()).toEqual(['ethereum', 'solana'])
})

test('discarding a sent pair queues no removal, and a refresh shows whether it arrived', async () => {
  await addPair('solana')
  scene.browser.setWay(({ path }) => (path === '/widgets' ? 'lost-answer' : 'arrives'))
  await sync()
  const [create] = await entries()
  await saveCheckpoint(scene.tab.context, (await board()).widgets[0]!.id, 7)
  await discardChange(scene.tab.context, create!.op_id)
  expect([await entries(), await pairs()]).toEqual([[], []])
  scene.online()
  await sync()
  expect(await pairs()).toEqual(['solana'])
})

test('an order that was sent can be discarded', async () => {
  for (const coin of ['ethereum', 'cardano']) await addPair(coin)
  await sync()
  await reorderWidgets(scene.tab.context, (await board()).widgets.map(({ id }) => id).toReversed())
  scene.browser.setWay(answers(isReorder, broken))
  await syncFor(MINUTE)
  const [change] = (await board()).changes
  expect(change).toMatchObject({ state: 'waiting', canDiscard: true })
  await discardChange(scene.tab.context, change!.opId)
  await sync()
  expect([await pairs(), (await board()).changes]).toEqual([['ethereum', 'cardano'], []])
})
