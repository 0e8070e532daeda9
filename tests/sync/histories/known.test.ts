import { expect, test } from 'vitest'
import { withServer } from '../../server/support/for-file'
import { seededRandom } from '../support/random'
import type { HistoryConfig, Operation } from './operations'
import { LIMITS_ENV } from './pairs'
import { playHistory } from './world'

type Of<T extends Operation['type']> = Extract<Operation, { readonly type: T }>
const seconds = (n: number): Operation => ({ type: 'time', ms: n * 1_000 })
const fault = (name: Of<'fault'>['fault']): Operation => ({ type: 'fault', fault: name })
const full = (writes: number): Operation => ({ type: 'full', writes })
const run = (events: number): Operation => ({ type: 'run', events })
type Command = Of<'command'>
const user = (command: Command['command'], a: number, b: number): Command => ({ type: 'command', command, a, b })
const elsewhere = (a: number, b: number): Operation => ({ type: 'other-device', a, b })
const offline: Operation = { type: 'offline', on: true }
const online: Operation = { type: 'offline', on: false }
const kill: Operation = { type: 'kill', a: 0 }
const retry: Operation = { type: 'retry', a: 0 }
const switchOwner: Operation = { type: 'switch-owner', a: 0 }
const logOut: Operation = { type: 'log-out', a: 0 }
const endSession: Operation = { type: 'end-session' }
const tier: Operation = { type: 'tier' }
const tick: Operation = { type: 'tick' }

/** Short histories in which a rule is missed at once when it is left out. */
const KNOWN: readonly (readonly [name: string, config: Partial<HistoryConfig>, operations: readonly Operation[]])[] = [
  [
    'a change under way is followed by the next one, not changed',
    { start: 1 },
    [seconds(5), fault('late-answer'), user('update', 0, 2), seconds(1), user('update', 0, 8)],
  ],
  [
    'a pull brings what a lost answer had made',
    {},
    [seconds(5), fault('lost-answer'), user('add', 0, 1), seconds(1.5), online, seconds(1)],
  ],
  [
    'two tabs that add the same pair at once add it once',
    {},
    [seconds(5), { type: 'both-tabs', commands: [user('add', 0, 1), user('add', 0, 1)] }, seconds(5)],
  ],
  [
    'an answer that finds no room on the device is asked for again',
    {},
    [seconds(5), user('add', 0, 1), full(3), seconds(5), seconds(25)],
  ],
  [
    'a service worker that dies while it makes room on a full device holds up no later one',
    { user: true },
    [fault('lost-answer'), tick, { type: 'die-after', a: 0, requests: 17 }, user('add', 305, 55), full(12), run(11)],
  ],
  [
    'a pair that another device was faster with is adopted',
    {},
    [seconds(5), offline, user('add', 0, 5), elsewhere(0, 5), user('update', 0, 4), online],
  ],
  [
    'the login page of a café is no verdict on anybody',
    { start: 1 },
    [seconds(5), fault('401-without-code'), user('update', 0, 2), seconds(25)],
  ],
  [
    'a 401 with a code of another version ends no session',
    { user: true, start: 1 },
    [seconds(5), fault('401-unknown-code'), user('update', 0, 2), seconds(25)],
  ],
  [
    'a service worker that dies while two creates are under way',
    {},
    [fault('late-answer'), user('add', 0, 1), user('add', 0, 2), seconds(1), kill, user('reorder', 0, 1), tick],
  ],
  [
    'what was made and removed elsewhere counts as removed, with all that was done to it',
    {},
    [seconds(5), fault('lost-answer'), user('add', 0, 1), seconds(1), elsewhere(1, 0), user('save-checkpoint', 0, 3)],
  ],
  [
    'an owner whose session is left keeps what waits, and goes on after the next login',
    { user: true, start: 1 },
    [seconds(5), fault('late-answer'), user('update', 0, 2), switchOwner, user('add', 0, 1), seconds(25), switchOwner],
  ],
  [
    'a session that is ended under way keeps what waits, and sends it after the next login',
    { user: true, start: 1 },
    [
      seconds(5),
      user('update', 0, 2),
      endSession,
      user('add', 0, 1),
      seconds(25),
      switchOwner,
      user('add', 0, 2),
      seconds(25),
    ],
  ],
  [
    'who logs out gives up what waits, and an answer that comes later brings nothing back',
    { user: true, start: 1 },
    [seconds(5), fault('slow-answer'), user('add', 0, 1), seconds(1), user('update', 0, 2), logOut, seconds(25)],
  ],
  [
    'a list that was read before an answer came does not undo it',
    { tabs: true },
    [seconds(65), fault('slow-answer'), tick, seconds(2), user('add', 0, 1), seconds(5), seconds(5)],
  ],
  [
    'an addition that is deleted before its answer comes is deleted by its real name',
    { user: true, start: 1 },
    [
      seconds(5),
      fault('late-answer'),
      user('add-checkpoint', 0, 6),
      seconds(1),
      user('commit-checkpoints', 0, 1),
      seconds(25),
    ],
  ],
  [
    'a popover’s changes go on where they stood when the worker died in the middle of them',
    { user: true, start: 1 },
    [
      seconds(5),
      user('add-checkpoint', 60, 1),
      user('add-checkpoint', 60, 2),
      user('add-checkpoint', 60, 4),
      seconds(5),
      fault('late-answer'),
      user('commit-checkpoints', 180, 2),
      seconds(1),
      kill,
      tick,
      seconds(5),
    ],
  ],
  [
    'a save on a pair that was removed elsewhere goes back together with the pair',
    { start: 1 },
    [seconds(5), user('save-checkpoint', 0, 1), seconds(5), elsewhere(1, 0), user('save-checkpoint', 0, 2), seconds(5)],
  ],
  [
    'a guest’s pairs that the server lost stay until the guest answers, also when it is restored and loses them again',
    { start: 1 },
    [
      seconds(5),
      { type: 'back-up' },
      { type: 'server-loss', a: 1 },
      user('add', 0, 2),
      seconds(65),
      { type: 'restore' },
      seconds(65),
      { type: 'server-loss', a: 0 },
    ],
  ],
  [
    'premium that ends while the rest of the pairs wait to be added',
    { user: true, start: 2 },
    [
      seconds(5),
      user('add', 0, 3),
      seconds(5),
      offline,
      user('add', 0, 4),
      user('save-checkpoint', 3, 3),
      tier,
      online,
      seconds(5),
      retry,
    ],
  ],
  [
    'premium that ends, begins again and ends under an order that waits',
    { user: true, start: 4 },
    [seconds(5), user('reorder', 3, 0), tier, seconds(25), user('reorder', 0, 1), tier, tick, seconds(25), tier],
  ],
]

const server = withServer({ env: LIMITS_ENV })

test.each(KNOWN)(
  'a known history of user actions keeps every sync rule: %s',
  { timeout: 60_000 },
  async (_, change, operations) => {
    const config = { tabs: false, user: false, start: 0, checkpoints: 0, market: false, ...change }
    await expect(playHistory({ seed: 1, config, operations }, server, seededRandom(1))).resolves.toBeUndefined()
  },
)
