import { saveCheckpoint } from '../../../src/db/commands/default-checkpoint'
import { updateWidget } from '../../../src/db/commands/widgets'
import { readBoard } from '../../../src/db/queries/board'
import { readGuestOffer } from '../../../src/db/commands/bring-guest-pairs'
import type { CoinId } from '../../../src/domain/ids'
import { MINUTE } from '../../../src/domain/granularity'
import { bearer, member, session as sessionOf } from '../../server/support/accounts'
import { person } from '../../server/support/person'
import { oneTab } from './one-tab'

/** Pairs that a user has, none of which the guest has. */
export const OTHERS = [
  ['ethereum', 'bitcoin'],
  ['ethereum', 'cardano'],
  ['cardano', 'bitcoin'],
  ['solana', 'bitcoin'],
] as [CoinId, CoinId][]

/** A browser with one tab whose guest has pairs and logs in; anew for each test of a file. */
export function guestScene() {
  const scene = oneTab()
  const { addPair, later, logInHere } = scene

  const context = () => scene.tab.context
  const board = async () => (await readBoard(scene.tab.db))!
  const offer = () => readGuestOffer(scene.tab.db)
  const sync = () => scene.tab.engine.sync('tick')
  const syncFor = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 75_000) {
      later(75_000)
      await sync()
    }
  }
  /** A board's content without ids. */
  const shown = async () =>
    (await board()).widgets.map((one) => [
      one.coinB.id,
      one.alerts.high.threshold,
      one.alerts.high.armed,
      one.alerts.low.threshold,
      one.notificationsEnabled,
      one.checkpoints.map(({ ratio }) => ratio),
    ])
  const told = async (headers: () => Promise<Record<string, string>>) =>
    (await person(scene.server.app, headers).list()).map((one) => [
      one.coin_b_id,
      one.high_threshold,
      one.high_threshold_active,
      one.low_threshold,
      one.notifications_enabled,
      one.checkpoints.map(({ ratio }) => ratio),
    ])
  const toldOf = (email: string) => told(async () => bearer((await sessionOf(scene.server, email)).access_token))
  const toldGuest = () => told(async () => ({ 'x-anonymous-user-id': scene.browser.guest }))

  /** A guest with three pairs; the last added has thresholds, one of which has fired, alerts and a checkpoint. */
  async function guestWithPairs() {
    await sync()
    for (const coin of ['ethereum', 'cardano', 'solana']) await addPair(coin)
    const third = (await board()).widgets[2]!
    await updateWidget(context(), third.id, {
      alerts: { high: { threshold: 20 }, low: { threshold: 3 } },
      notificationsEnabled: true,
    })
    await updateWidget(context(), third.id, { alerts: { high: { armed: false } } })
    await saveCheckpoint(context(), third.id, 7)
    await syncFor(MINUTE)
    return shown()
  }

  async function memberHere() {
    const email = await member(scene.server)
    await logInHere(email)
    await syncFor(2 * MINUTE)
    return email
  }
  return { scene, context, board, offer, sync, syncFor, shown, toldOf, toldGuest, guestWithPairs, memberHere }
}
