import type { Page } from 'playwright/test'
import { onCard, ratioOf } from './app'
import { alertSwitch, openThreshold, shownRatio } from './threshold'

/** A change of the board by a user. */
export interface CardChange {
  readonly what: string
  /** The user's steps before the one click or key press that makes the change. */
  readonly prepare: (page: Page) => Promise<void>
  readonly act: (page: Page) => Promise<void>
  /** Found in the board's words (`boardWords`) after the change and not before. */
  readonly pattern: RegExp
}

/** The pair that changes, and the one behind it. */
export const PAIR = 'BTC / ETH'
export const OTHER_PAIR = 'SOL / ETH'

const nothing = () => Promise.resolve()

/** Push may have to be set up first, so that the switch shows at once that it is pressed, and is stored later. */
export const switchOn: CardChange = {
  what: 'switch alerts on',
  prepare: nothing,
  act: (page) => alertSwitch(page, PAIR).click(),
  pattern: /Alerts true/,
}

/** Alerts without push, which the toast of a refused permission offers. */
export const switchOnWithoutPush: CardChange = {
  what: 'switch alerts on in the open app',
  prepare: async (page) => {
    await alertSwitch(page, PAIR).click()
    await page.getByRole('button', { name: 'Tell me in the open app' }).waitFor()
  },
  act: (page) => page.getByRole('button', { name: 'Tell me in the open app' }).click(),
  pattern: /High threshold [^|]*?(?<!dis)armed(?! once)/,
}

/** In this order, on two pairs without alerts and checkpoints; switching alerts on sets thresholds. */
export const cardChanges = (on: CardChange): readonly CardChange[] => [
  on,
  {
    what: 'switch alerts off',
    prepare: nothing,
    act: (page) => alertSwitch(page, PAIR).click(),
    pattern: /^BTC[^|]*High threshold [^|]*alerts are off/,
  },
  {
    what: 'clear a threshold',
    prepare: async (page) => void (await openThreshold(page, PAIR, 'High')),
    act: (page) => page.getByRole('button', { name: 'Clear threshold' }).click(),
    pattern: /^BTC[^|]*High threshold not set/,
  },
  {
    what: 'set a threshold',
    prepare: async (page) => {
      const ratio = await shownRatio(page, PAIR)
      const dialog = await openThreshold(page, PAIR, 'High')
      await dialog.getByLabel('Threshold').fill(String(ratio * 2))
    },
    act: (page) => page.getByRole('button', { name: 'Set & Arm Alert' }).click(),
    pattern: /^BTC[^|]*High threshold [^|]*(?<!dis)armed/,
  },
  {
    what: 'save a checkpoint',
    prepare: (page) => onCard(page, PAIR, 'Checkpoint').click(),
    act: (page) => ratioOf(page, PAIR).click(),
    pattern: /Checkpoint[\d.]+ \w{3} \d/,
  },
  {
    what: 'delete a checkpoint',
    prepare: nothing,
    act: (page) => onCard(page, PAIR, 'Delete checkpoint').click(),
    pattern: /^[^|]*None saved/,
  },
  ...[
    { what: 'move a pair', pair: OTHER_PAIR, pattern: /^SOL.*\| BTC/ },
    { what: 'move it back', pair: PAIR, pattern: /^BTC.*\| SOL/ },
  ].map(({ what, pair, pattern }) => ({
    what,
    pattern,
    prepare: (page: Page) => onCard(page, pair, 'Move pair').click(),
    act: (page: Page) => page.getByRole('menuitem', { name: 'Move first' }).click(),
  })),
  {
    what: 'remove a pair',
    prepare: (page) => onCard(page, OTHER_PAIR, 'Remove pair').click(),
    act: (page) => page.getByRole('alertdialog').getByRole('button', { name: 'Remove', exact: true }).click(),
    pattern: /^(?!.*SOL)/,
  },
]
