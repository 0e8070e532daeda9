import type { Widget } from '../../../src/contract/widget'
import { readAccountView } from '../../../src/db/identity'
import { discardChange, retryChange } from '../../../src/db/commands/failed-changes'
import { takeBack } from '../../../src/db/commands/take-back'
import type { HeldChange } from '../../../src/db/held-change'
import { leaveExpiredSession, logOut } from '../../../src/db/leave-owner'
import { removeLostHere, sendLostAgain } from '../../../src/db/commands/lost-pairs'
import { readLost } from '../../../src/db/lost-pairs'
import type { OptimisticWidget } from '../../../src/db/board'
import { clearCache } from '../../../src/db/local-data'
import { isStorageFull } from '../../../src/db/quota-eviction'
import { canDiscard } from '../../../src/db/dependents'
import type { OutboxEntry } from '../../../src/db/outbox-entry'
import { readKnownIds, readSnapshot } from '../../../src/db/board-rows'
import { isAnonymousOwner, type OwnerId } from '../../../src/domain/ids'
import type { TestApp } from '../../server/support/test-app'
import { UNKNOWN_CODE } from '../support/network'
import type { Random } from '../support/random'
import { createLedger } from './ledger'
import { generateHistory, type History, type Operation } from './operations'
import { LIMITS, PAIRS } from './pairs'
import type { Kind } from './play-seeds'
import { screenWatch } from './screen-watch'
import { MINUTE, openStage, SECOND } from './stage'
import { byAnswer, byCommand, byDiscard, byLogOut, byUndo, type MayTake } from './taken-back'
import { doCommand } from './user-commands'
import { Violation } from './violation'

/** The same key or address may be sent this often within a minute. */
const CALM = 25

/** Plays one history against the real engine and the real server, and throws a Violation where a rule does not hold. */
export async function playHistory({ config, operations }: History, server: TestApp, random: Random): Promise<void> {
  const ledger = createLedger()
  const watch = screenWatch()
  let meddled = false
  let failed = ''
  /** The device does not know yet what the server has: it may ask for one pair too many. */
  let unaware = config.start > 0
  let mayTake: MayTake = () => false
  /** The server has ended a session, or something in between says so in its name with one of the next answers. */
  let sessionMayEnd = false
  const judge = async (byUser: boolean): Promise<readonly OptimisticWidget[]> => {
    const snapshot = (await db.transaction('r', db.tables, () => readSnapshot(db)))!
    const { owner, expired } = (await readAccountView(db))!
    if (expired && !sessionMayEnd) throw new Violation('session', `that of ${owner} ended by itself`)
    const entries = await db.outbox.orderBy('seq').toArray()
    const ids = await readKnownIds(db)
    ledger.follow(entries, ids, byUser ? mayTake : () => false, time.now())
    ledger.keep(await db.widgets.where('owner').equals(guest).toArray(), ids, byUser)
    const failedNow = entries
      .filter(({ state }) => state === 'failed')
      .map(({ op_id }) => op_id)
      .join()
    if (failedNow !== failed) watch.cause('*')
    failed = failedNow
    watch.look(snapshot.shown)
    checkLists(snapshot.shown, meddled || unaware ? Infinity : snapshot.limits.max_checkpoints_per_widget)
    return snapshot.shown
  }
  const stage = await openStage(server, random, { ...config, judge })
  const { time, activity, accounts, people, network, device, db, context, guest, elsewhere, problems } = stage
  const { look, advance, live, current, comeToRest } = stage
  const { users } = people
  const changes: HeldChange[] = []
  const hold = { ms: 11 * SECOND, onHeld: (change: HeldChange) => void changes.push(change) }
  const owners = new Set<OwnerId>([guest])
  let backup: { readonly owner: OwnerId; readonly restore: () => Promise<void> } | null = null

  /** Idempotency-Keys of changes that the user gave up after they were sent. */
  const givenUp = new Set<string>()
  let listTellsOfGivenUp = false
  const sent = new Map<string, number[]>()
  network.onSent((key, path) => {
    const minute = [...(sent.get(key) ?? []).filter((at) => at > time.now() - MINUTE), time.now()]
    sent.set(key, minute)
    if (minute.length > CALM) problems.push(new Violation('calm', `${path} was sent ${CALM} times in a minute`))
  })
  network.onSeen((seen) => {
    // A change that the server refuses goes back on the screen, also where it counts as done elsewhere.
    if (seen.status >= 400) watch.cause('*')
    // A change that was sent and then given up shows again if the server has done it, or does it later.
    if (listTellsOfGivenUp && seen.method === 'GET') {
      listTellsOfGivenUp = false
      watch.cause('*')
    }
    if (seen.key !== null && givenUp.has(seen.key)) watch.cause('*')
    const owner = seen.key === null ? undefined : ledger.ownerOf(seen.key)
    if (owner !== undefined && owner !== seen.owner) {
      problems.push(new Violation('owner', `${seen.path} of ${owner} was executed as ${seen.owner}`))
    }
    try {
      ledger.seen(seen)
    } catch (error) {
      problems.push(error)
    }
  })

  /** Judges what the user does by itself, before the engine hears of it. */
  const act = async (taken: MayTake, does: () => Promise<unknown>): Promise<void> => {
    mayTake = taken
    try {
      await does()
    } finally {
      await look(true)
    }
  }

  const become = async (owner: OwnerId): Promise<void> => {
    const before = await current()
    if (!isAnonymousOwner(before)) await leaveExpiredSession(context, before)
    if (!isAnonymousOwner(owner)) await stage.logIn(owner)
    owners.add(owner)
    watch.restart()
  }

  const giveUp = async (entry: OutboxEntry): Promise<void> => {
    // Only of a change that was sent and has no answer can the list still tell something else.
    const inDoubt = await db.outbox.filter(({ state, attempts }) => state === 'waiting' && attempts > 0).toArray()
    await act(await byDiscard(db, entry.owner, entry.op_id), () => discardChange(context, entry.op_id))
    const left = new Set((await db.outbox.toArray()).map(({ op_id }) => op_id))
    for (const { op_id } of inDoubt) {
      if (left.has(op_id)) continue
      givenUp.add(op_id)
      listTellsOfGivenUp = true
    }
  }

  /** Another actor changes what the device does not know of. */
  const meddle = (): void => {
    meddled = true
    watch.disturb()
    watch.cause('*')
  }

  const perform = async (operation: Operation): Promise<unknown> => {
    switch (operation.type) {
      case 'command':
        await act(await byCommand(db, await current()), () =>
          doCommand({ ...context, ...(operation.held && { hold }) }, watch, operation),
        )
        return device.ask('command', operation.b)
      case 'undo': {
        const change = changes.pop()
        if (change === undefined) return
        watch.cause('*')
        await act(byUndo(change), () => takeBack(context, change))
        return device.ask('command')
      }
      case 'both-tabs': {
        const other = device.openPage()
        const [first, second] = operation.commands
        await act(await byCommand(db, await current()), () =>
          Promise.all([doCommand(context, watch, first!), doCommand({ ...context, db: other.db }, watch, second!)]),
        )
        other.kill()
        return device.askAll('command')
      }
      case 'tab-dies': {
        const page = device.openPage()
        page.dieAfter(operation.requests, () => undefined)
        await act(await byCommand(db, await current()), async () => {
          void doCommand({ ...context, db: page.db }, watch, operation.command).catch(() => undefined)
          await activity.idle()
          page.kill()
        })
        return device.askAll('tick')
      }
      case 'slow-list':
        network.addFault('slow-list')
        return device.ask('visible', operation.a)
      case 'asleep':
        await stage.sleep(operation.ms)
        return device.askAll('visible')
      case 'clock-right':
        return device.setClockRight()
      case 'clear-cache':
        return clearCache(db)
      case 'refresh-fault':
        return network.addRefreshFault(operation.fault)
      case 'clock-jump':
        return device.jump(operation.ms)
      case 'other-device':
        meddle()
        return elsewhere.meddle(await current(), operation.a, operation.b)
      case 'tier': {
        const owner = await current()
        if (isAnonymousOwner(owner)) return
        meddle()
        return people.changeTier(owner)
      }
      case 'expire-tokens':
        return accounts.expireAll()
      case 'switch-owner':
        if (network.isOffline()) return
        unaware = true
        await become(isAnonymousOwner(await current()) ? users[operation.a % 2]! : guest)
        return device.askAll('online')
      case 'log-out':
        unaware = true
        await act(byLogOut(await current()), async () => {
          await logOut(context)
          watch.restart()
        })
        return device.ask('command', operation.a)
      case 'end-session':
        sessionMayEnd = true
        return accounts.endAll(await current())
      case 'retry':
      case 'discard': {
        const owner = await current()
        const isChoice = (one: OutboxEntry): boolean =>
          one.state === 'failed' || (operation.type === 'discard' && canDiscard(one))
        const choices = await db.outbox.filter((one) => one.owner === owner && isChoice(one)).toArray()
        const entry = choices[operation.a % Math.max(1, choices.length)]
        if (entry === undefined) return
        watch.cause('*')
        await (operation.type === 'retry' ? retryChange(context, entry.op_id) : giveUp(entry))
        return device.ask('command')
      }
      case 'stuck':
        return network.stickNext()
      case 'server-loss': {
        const owner = await current()
        if (!isAnonymousOwner(owner)) return
        meddle()
        ledger.lose(owner)
        return people.lose(owner, operation.a)
      }
      case 'back-up': {
        const owner = await current()
        backup = { owner, restore: await people.backUp(owner) }
        return
      }
      case 'restore':
        if (backup === null) return
        meddle()
        ledger.lose(backup.owner)
        return backup.restore()
      case 'answer-loss':
        return answerLoss(operation.a)
      case 'fault':
        sessionMayEnd ||= operation.fault === '401-invalid'
        return stage.happen(operation)
      default:
        return stage.happen(operation)
    }
  }

  const answerLoss = async (a: number): Promise<void> => {
    if ((await readLost(db, await current())).length === 0) return
    watch.cause('*')
    await act(await byAnswer(db, await current()), () => (a % 3 === 0 ? removeLostHere : sendLostAgain)(context))
    return device.ask('command')
  }

  /** Lets everything that waits be answered, and the list be asked for once more. */
  const bringHome = async (owner: OwnerId): Promise<void> => {
    await comeToRest(owner)
    await advance(61 * SECOND)
    device.askAll('tick')
    await advance(20 * SECOND)
  }

  const finish = async (): Promise<void> => {
    network.heal()
    device.storage.refusals = 0
    const now = await current()
    for (const owner of [now, ...[guest, ...owners].filter((one) => one !== now)]) {
      if ((await current()) !== owner || !isAnonymousOwner(owner)) await become(owner)
      device.askAll('tick')
      await advance(40 * SECOND)
      // A session that was ended, or tokens that a fault had made look invalid: the user logs in again.
      if ((await readAccountView(db))!.expired) await become(owner)
      device.askAll('online')
      await bringHome(owner)
      // The device finds only by that sync which pairs the server lost just now.
      if ((await readLost(db, owner)).length > 0) {
        await answerLoss(random.int(3))
        await bringHome(owner)
      }
      const left = await live(owner)
      if (left.length > 0) throw new Violation('calm', `never ends: ${JSON.stringify(left[0])}`)
      const shown = summary(await look(false))
      const list = await elsewhere.list(owner)
      checkLists(list, LIMITS[people.wasPremium(owner) ? 'premium' : 'free'].max_checkpoints_per_widget)
      const there = summary(list)
      if (shown !== there) throw new Violation('equal', `screen ${shown}\n  server ${there}`)
    }
    const refused = await db.outbox.filter(({ state }) => state === 'failed').toArray()
    const unexpected = refused.filter(
      ({ last_error }) =>
        last_error?.error_code !== UNKNOWN_CODE && (!unaware || !/LIMIT|NOT_FOUND/.test(last_error?.error_code ?? '')),
    )
    if (!meddled && unexpected.length > 0) {
      throw new Violation('refusal', JSON.stringify(unexpected[0]))
    }
  }

  try {
    for (const owner of [guest, users[0]!]) {
      for (const pair of PAIRS.slice(0, config.start)) await elsewhere.add(owner, pair)
    }
    for (let ratio = 1; ratio <= config.checkpoints; ratio++) await elsewhere.save(users[0]!, ratio)
    if (config.user) await become(users[0]!)
    device.askAll('start')
    for (const operation of operations) {
      await perform(operation).catch((error: unknown) => {
        // The user is told that the device is full.
        if (!isStorageFull(error)) throw error
      })
      await look(false)
    }
    await finish()
  } finally {
    await stage.close()
  }
}

export const HISTORIES: Kind<History> = { name: 'random histories', generate: generateHistory, play: playHistory }

/** A list has exactly one default, if it has any checkpoint, is numbered by its places, and knows its limit. */
function checkLists(widgets: readonly (Widget | OptimisticWidget)[], most: number): void {
  for (const { checkpoints } of widgets) {
    const defaults = checkpoints.filter(({ is_default }) => is_default).length
    const inOrder = checkpoints.every(({ display_order }, index) => display_order === index)
    if (defaults !== Math.min(1, checkpoints.length) || !inOrder || checkpoints.length > most) {
      throw new Violation('list', JSON.stringify(checkpoints))
    }
  }
}

/** The figures that screen and server must agree on. */
const summary = (widgets: readonly (Widget | OptimisticWidget)[]): string =>
  JSON.stringify(
    widgets.map((widget) => [
      widget.id,
      widget.coin_a_id,
      widget.coin_b_id,
      widget.high_threshold,
      widget.high_threshold_active,
      widget.low_threshold,
      widget.low_threshold_active,
      widget.notifications_enabled,
      widget.is_active,
      widget.checkpoints.map(({ id, ratio, is_default }) => [id, ratio, is_default]),
    ]),
  )
