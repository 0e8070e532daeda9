import type { HistoryConfig, Operation } from './operations'

/** Short histories in which a rule is missed at once when it is left out. */
export const KNOWN: readonly (readonly [
  name: string,
  config: Partial<HistoryConfig>,
  operations: readonly Operation[],
])[] = [
  [
    'a change under way is followed by the next one, not changed',
    { start: 1 },
    [
      { type: 'time', ms: 5_000 },
      { type: 'fault', fault: 'late-answer' },
      { type: 'command', command: 'update', a: 0, b: 2 },
      { type: 'time', ms: 1_000 },
      { type: 'command', command: 'update', a: 0, b: 8 },
    ],
  ],
  [
    'a pull brings what a lost answer had made',
    {},
    [
      { type: 'time', ms: 5_000 },
      { type: 'fault', fault: 'lost-answer' },
      { type: 'command', command: 'add', a: 0, b: 1 },
      { type: 'time', ms: 1_500 },
      { type: 'offline', on: false },
      { type: 'time', ms: 1_000 },
    ],
  ],
  [
    'a pair that another device was faster with is adopted',
    {},
    [
      { type: 'time', ms: 5_000 },
      { type: 'offline', on: true },
      { type: 'command', command: 'add', a: 0, b: 5 },
      { type: 'other-device', a: 0, b: 5 },
      { type: 'command', command: 'update', a: 0, b: 4 },
      { type: 'offline', on: false },
    ],
  ],
  [
    'the login page of a café is no verdict on anybody',
    { start: 1 },
    [
      { type: 'time', ms: 5_000 },
      { type: 'fault', fault: '401-without-code' },
      { type: 'command', command: 'update', a: 0, b: 2 },
      { type: 'time', ms: 25_000 },
    ],
  ],
  [
    'a service worker that dies while two creates are under way',
    {},
    [
      { type: 'fault', fault: 'late-answer' },
      { type: 'command', command: 'add', a: 0, b: 1 },
      { type: 'command', command: 'add', a: 0, b: 2 },
      { type: 'time', ms: 1_000 },
      { type: 'kill', a: 0 },
      { type: 'command', command: 'reorder', a: 0, b: 1 },
      { type: 'tick' },
    ],
  ],
  [
    'what was made and removed elsewhere counts as removed, with all that was done to it',
    {},
    [
      { type: 'time', ms: 5_000 },
      { type: 'fault', fault: 'lost-answer' },
      { type: 'command', command: 'add', a: 0, b: 1 },
      { type: 'time', ms: 1_000 },
      { type: 'other-device', a: 1, b: 0 },
      { type: 'command', command: 'save-checkpoint', a: 0, b: 3 },
    ],
  ],
  [
    'an owner who signs out keeps what waits, and goes on after the next login',
    { user: true, start: 1 },
    [
      { type: 'time', ms: 5_000 },
      { type: 'fault', fault: 'late-answer' },
      { type: 'command', command: 'update', a: 0, b: 2 },
      { type: 'switch-owner', a: 0 },
      { type: 'command', command: 'add', a: 0, b: 1 },
      { type: 'time', ms: 25_000 },
      { type: 'switch-owner', a: 0 },
    ],
  ],
  [
    'a list that was read before an answer came does not undo it',
    { tabs: true },
    [
      { type: 'time', ms: 65_000 },
      { type: 'fault', fault: 'slow-answer' },
      { type: 'tick' },
      { type: 'time', ms: 2_000 },
      { type: 'command', command: 'add', a: 0, b: 1 },
      { type: 'time', ms: 5_000 },
      { type: 'time', ms: 5_000 },
    ],
  ],
  [
    'an addition that is deleted before its answer comes is deleted by its real name',
    { user: true, start: 1 },
    [
      { type: 'time', ms: 5_000 },
      { type: 'fault', fault: 'late-answer' },
      { type: 'command', command: 'add-checkpoint', a: 0, b: 6 },
      { type: 'time', ms: 1_000 },
      { type: 'command', command: 'commit-checkpoints', a: 0, b: 1 },
      { type: 'time', ms: 25_000 },
    ],
  ],
  [
    'a popover’s changes go on where they stood when the worker died in the middle of them',
    { user: true, start: 1 },
    [
      { type: 'time', ms: 5_000 },
      { type: 'command', command: 'add-checkpoint', a: 60, b: 1 },
      { type: 'command', command: 'add-checkpoint', a: 60, b: 2 },
      { type: 'command', command: 'add-checkpoint', a: 60, b: 4 },
      { type: 'time', ms: 5_000 },
      { type: 'fault', fault: 'late-answer' },
      { type: 'command', command: 'commit-checkpoints', a: 180, b: 2 },
      { type: 'time', ms: 1_000 },
      { type: 'kill', a: 0 },
      { type: 'tick' },
      { type: 'time', ms: 5_000 },
    ],
  ],
]
