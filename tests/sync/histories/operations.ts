import { type Fault, FAULTS } from '../support/network'
import type { Random } from '../support/random'
import type { Event } from './stage'

const ON_CHECKPOINTS = ['save-checkpoint', 'delete-checkpoint', 'add-checkpoint', 'commit-checkpoints'] as const
const COMMANDS = ['add', 'remove', 'update', 'threshold', 'alerts', 'reorder', ...ON_CHECKPOINTS] as const
type CommandName = (typeof COMMANDS)[number]

export interface Command {
  readonly type: 'command'
  readonly command: CommandName
  readonly a: number
  readonly b: number
  /** It loses something of the user's, and is held for its Undo. */
  readonly held?: true
}

/** One step of a history: something that the user, the network, the browser or another device does. */
export type Operation =
  | Event
  | Command
  /** The user does two things at once, in two tabs. */
  | { readonly type: 'both-tabs'; readonly commands: readonly Command[] }
  /** The tab in which the user does something dies with its n-th database request. */
  | { readonly type: 'tab-dies'; readonly command: Command; readonly requests: number }
  /** The user comes back to a tab, whose list takes long. */
  | { readonly type: 'slow-list'; readonly a: number }
  | { readonly type: 'asleep' | 'clock-jump'; readonly ms: number }
  | { readonly type: 'clock-right' | 'clear-cache' }
  | { readonly type: 'refresh-fault'; readonly fault: Fault }
  | { readonly type: 'other-device'; readonly a: number; readonly b: number }
  /** The signed-in user has bought Premium, or lost it; a guest has not. */
  | { readonly type: 'tier' }
  | { readonly type: 'expire-tokens' }
  | { readonly type: 'switch-owner'; readonly a: number }
  /** Gives up what waits, and may be done without a network. */
  | { readonly type: 'log-out'; readonly a: number }
  /** The server ends the sessions of whoever is signed in. */
  | { readonly type: 'end-session' }
  | { readonly type: 'retry' | 'discard'; readonly a: number }
  /** The user takes back what the last held command did, in time or not. */
  | { readonly type: 'undo' }
  /** The server answers the next change with 500 for long, and does others. */
  | { readonly type: 'stuck' }
  /** The server loses a guest's pairs: one of them, or all with everything it knew of the guest. */
  | { readonly type: 'server-loss'; readonly a: number }
  /** The server is backed up, or restored from that backup. */
  | { readonly type: 'back-up' | 'restore' }
  /** The owner says what is to become of lost pairs. */
  | { readonly type: 'answer-loss'; readonly a: number }

export interface HistoryConfig {
  /** Two tabs that each run the engine, instead of one service worker. */
  readonly tabs: boolean
  /** Begins signed in. */
  readonly user: boolean
  /** Widgets that are there at the start. */
  readonly start: number
  /** Checkpoints of the premium user's first widget at the start. */
  readonly checkpoints: number
  /** Prices, coins and history are served too. */
  readonly market: boolean
}

export interface History {
  readonly seed: number
  readonly config: HistoryConfig
  readonly operations: readonly Operation[]
}

/** Acts of other people and devices on the account and its rows. */
const BY_OTHERS: ReadonlySet<Operation['type']> = new Set(['other-device', 'tier', 'server-loss', 'restore'])

const pick = <T>(random: Random, items: readonly T[]): T => items[random.int(items.length)]!

/** Some histories dwell on contexts that die while something is under way, some on a bad network, some on one list. */
const FOCUS = ['none', 'deaths', 'network', 'checkpoints', 'checkpoints', 'server', 'clocks', 'tabs', 'tabs'] as const
type Focus = (typeof FOCUS)[number]
/** Of the steps, by what the history dwells on. */
const SHARE = { none: 0, deaths: 0.25, network: 0.25, checkpoints: 0.5, server: 0.25, clocks: 0.5, tabs: 0.4 }

const LOSING: readonly CommandName[] = ['remove', 'threshold', ...ON_CHECKPOINTS]

function command(random: Random, name: CommandName): Command {
  const [a, b] = [random.int(1000), random.int(1000)]
  return { type: 'command', command: name, a, b, ...(LOSING.includes(name) && b % 2 === 0 && { held: true }) }
}
const anyCommand = (random: Random): Command =>
  command(random, pick(random, ['add', 'add', ...COMMANDS, 'reorder', 'update']))

const DAYS = 86_400_000
const JUMPS = [-400 * DAYS, -8 * DAYS, -3 * DAYS, -7_200_000, -60_000, 60_000, 7_200_000, 8 * DAYS, 400 * DAYS]

const onTabs = (random: Random): Operation =>
  pick<Operation>(random, [
    { type: 'both-tabs', commands: [anyCommand(random), anyCommand(random)] },
    { type: 'tab-dies', command: anyCommand(random), requests: 1 + random.int(25) },
    { type: 'slow-list', a: random.int(2) },
    { type: 'slow-list', a: random.int(2) },
  ])

const onClocks = (random: Random): Operation =>
  pick<Operation>(random, [
    { type: 'clock-jump', ms: pick(random, JUMPS) },
    { type: 'clock-jump', ms: pick(random, [-8 * DAYS, 8 * DAYS]) },
    { type: 'clock-right' },
    { type: 'fault', fault: 'unknown-code' },
    { type: 'server-clock', ms: pick(random, [-3 * DAYS, -7_200_000, -60_000, 60_000, 7_200_000, 3 * DAYS]) },
    { type: 'asleep', ms: pick(random, [600_000, 3 * DAYS]) },
    { type: 'fault', fault: pick(random, ['429-long', 'lost-answer']) },
    { type: 'tick' },
  ])

function focused(random: Random, focus: Focus): Operation | null {
  if (focus === 'none' || random.next() > SHARE[focus]) return null
  const a = random.int(1000)
  if (focus === 'deaths') {
    return pick<Operation>(random, [
      { type: 'kill', a },
      { type: 'die-after', a, requests: 1 + random.int(60) },
      { type: 'run', events: 1 + random.int(3) },
      { type: 'command', command: 'update', a: 0, b: a },
    ])
  }
  if (focus === 'clocks') return onClocks(random)
  if (focus === 'tabs') return onTabs(random)
  if (focus === 'checkpoints') {
    const [b, first] = [a, random.int(80) * 12]
    if (random.next() < 0.15) return b % 6 === 0 ? { type: 'tier' } : { type: 'other-device', a: 4, b }
    const command = pick(random, [
      ...ON_CHECKPOINTS,
      'add-checkpoint',
      'commit-checkpoints',
      'commit-checkpoints',
    ] as const)
    return { type: 'command', command, a: first, b, ...(b % 2 === 0 && { held: true }) }
  }
  if (focus === 'server') {
    return pick<Operation>(random, [
      { type: 'stuck' },
      { type: 'discard', a },
      { type: 'time', ms: 1_500_000 },
      { type: 'server-loss', a },
      { type: 'back-up' },
      { type: 'restore' },
      { type: 'answer-loss', a },
      {
        type: 'fault',
        fault: pick(random, [
          '404-no-route',
          '404-page',
          '401-no-identity',
          '401-unknown-code',
          'unknown-code',
          'lost-answer',
        ]),
      },
      { type: 'command', command: pick(random, ['add', 'reorder', 'remove', 'update', 'save-checkpoint']), a, b: a },
    ])
  }
  return {
    type: 'fault',
    fault: pick(random, ['lost-answer', 'late-answer', 'slow-answer', 'late-request', 'twice'] as const),
  }
}

function operation(random: Random, focus: Focus): Operation {
  const special = focused(random, focus)
  if (special !== null) return special
  const a = random.int(1000)
  const b = random.int(1000)
  const p = random.next()
  if (p < 0.4) return anyCommand(random)
  if (p < 0.42) return onTabs(random)
  if (p < 0.62) return { type: 'run', events: 1 + random.int(12) }
  if (p < 0.72)
    return { type: 'fault', fault: pick(random, [...FAULTS, 'lost-answer', 'late-answer', '401-unknown-code']) }
  if (p < 0.75) return { type: 'kill', a }
  if (p < 0.79) return { type: 'die-after', a, requests: 1 + random.int(40) }
  if (p < 0.84) return { type: 'other-device', a, b }
  if (p < 0.89) return { type: 'time', ms: pick(random, [1_000, 5_000, 25_000, 80_000, 400_000]) }
  if (p < 0.9) return { type: 'asleep', ms: pick(random, [600_000, 3 * 86_400_000]) }
  if (p < 0.91) return { type: 'clock-jump', ms: pick(random, JUMPS) }
  if (p < 0.915) return pick<Operation>(random, [{ type: 'clock-right' }, { type: 'clear-cache' }])
  if (p < 0.925) return { type: 'full', writes: 1 + random.int(12) }
  if (p < 0.94) return { type: 'offline', on: a % 2 === 0 }
  if (p < 0.95) return { type: 'expire-tokens' }
  if (p < 0.955) return { type: 'tier' }
  if (p < 0.96)
    return {
      type: 'refresh-fault',
      fault: pick(random, ['lost-answer', 'lost-request', '500', 'late-request', '401-unknown-code']),
    }
  if (p < 0.97) return { type: 'switch-owner', a }
  if (p < 0.975) return { type: 'log-out', a }
  if (p < 0.98) return { type: 'end-session' }
  if (p < 0.985) return { type: a % 3 === 0 ? 'discard' : 'retry', a: b }
  if (p < 0.988) return { type: 'stuck' }
  if (p < 0.991) return { type: 'server-loss', a }
  if (p < 0.994) return { type: 'answer-loss', a }
  if (p < 0.997) return { type: a % 2 === 0 ? 'back-up' : 'restore' }
  return { type: 'tick' }
}

/** Most that are undone are undone soon, some too late. */
function withUndo(random: Random, step: Operation): readonly Operation[] {
  if (step.type !== 'command' || step.held === undefined || random.next() < 0.4) return [step]
  const between = random.next() < 0.5 ? [] : [operation(random, 'none')]
  return [step, ...between, { type: 'undo' }]
}

/** @param most operations at most, Undos aside */
export function generateHistory(seed: number, random: Random, most = 30): History {
  const focus = pick(random, FOCUS)
  const onCheckpoints = focus === 'checkpoints'
  const config = {
    tabs: random.next() < (focus === 'tabs' ? 0.75 : 0.25),
    user: onCheckpoints || random.next() < 0.5,
    start: onCheckpoints ? 1 : random.int(3),
    checkpoints: random.int(4),
    market: random.next() < 0.05,
  }
  const otherDevice = random.next() < 0.6
  const length = 3 + random.int(most - 2)
  const steps = Array.from({ length }, () => withUndo(random, operation(random, focus))).flat()
  // A list that is dwelt on has to be there first.
  const operations: Operation[] = [...(onCheckpoints ? [{ type: 'time', ms: 5_000 } as const] : []), ...steps]
  return { seed, config, operations: operations.filter(({ type }) => otherDevice || !BY_OTHERS.has(type)) }
}
