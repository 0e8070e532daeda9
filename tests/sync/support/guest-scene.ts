import { saveCheckpoint } from '../../../src/db/commands/default-checkpoint'
import { updateWidget } from '../../../src/db/commands/widgets'
import { bringPairsAlong, readGuestOffer } from '../../../src/db/commands/bring-guest-pairs'
import { logOut } from '../../../src/db/leave-owner'
import type { CoinId } from '../../../src/domain/ids'
import { MINUTE } from '../../../src/domain/granularity'
import { bearer } from '../../server/support/accounts'
import { type Person, person } from '../../server/support/person'
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
  const { addPair, board, context, logInHere, sync, syncFor } = scene

  const offer = () => readGuestOffer(scene.tab.db)
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
  const guest = () => person(scene.server.app, async () => ({ 'x-anonymous-user-id': scene.browser.guest }))
  /** The user at another device. */
  const elsewhere = (email: string) =>
    person(scene.server.app, async () => bearer((await scene.server.session(email)).access_token))
  const told = async (who: Person) =>
    (await who.list()).map((one) => [
      one.coin_b_id,
      one.high_threshold,
      one.high_threshold_active,
      one.low_threshold,
      one.notifications_enabled,
      one.checkpoints.map(({ ratio }) => ratio),
    ])
  const toldOf = (email: string) => told(elsewhere(email))
  const toldGuest = () => told(guest())
  /** Answers the question with yes, and lets the server hear of it. */
  const bring = async (ms = 2 * MINUTE) => {
    await bringPairsAlong(context())
    await syncFor(ms)
  }
  const leave = async (ms = 2 * MINUTE) => {
    await logOut(context())
    await syncFor(ms)
  }
  const logInAgain = async (email: string, ms = 2 * MINUTE) => {
    await logInHere(email)
    await syncFor(ms)
  }

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
    const email = await scene.server.member()
    await logInAgain(email)
    return email
  }
  return {
    scene,
    offer,
    shown,
    guest,
    elsewhere,
    toldOf,
    toldGuest,
    bring,
    leave,
    logInAgain,
    guestWithPairs,
    memberHere,
  }
}
