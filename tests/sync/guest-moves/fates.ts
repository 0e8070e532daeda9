import type { Widget } from '../../../src/contract/widget'
import type { OptimisticWidget } from '../../../src/db/board'
import { guestPairId, isMadeWith, keyFor } from '../../../src/db/answers/brought-pairs'
import { isAnonymousOwner, type OwnerId } from '../../../src/domain/ids'
import { Violation } from '../histories/violation'

type Shown = Widget | OptimisticWidget

/** The parts of a pair that must not be lost. */
const contentOf = ({ high_threshold, low_threshold, notifications_enabled, checkpoints }: Shown): string =>
  JSON.stringify([high_threshold, low_threshold, notifications_enabled, checkpoints.map(({ ratio }) => ratio)])

export const coinsOf = ({ coin_a_id, coin_b_id }: Shown): string => `${coin_a_id}/${coin_b_id}`

interface Fate {
  readonly coins: string
  content: string
  /** The guest's copy has gone by itself. */
  moved: boolean
  /** The guest has taken it out of the board. */
  removed: boolean
  /** The guest has changed it after the first answer to the question. */
  changedSince: boolean
  /** Users who have removed or changed what came of it. */
  readonly touched: Set<OwnerId>
  /** A user logged out while it was on its way to them: the server may have made it all the same. */
  forgotten: boolean
}

/** Follows every pair that a guest has made, from its first appearance to its last. */
export interface Fates {
  /** @param by the guest's own hand, or what the machinery has done by itself */
  readonly guestBoard: (shown: readonly OptimisticWidget[], by: 'guest' | 'machinery', asked: boolean) => void
  /** Pairs that the machinery has taken from the guest since the last look. */
  readonly takenAway: () => readonly string[]
  /** A pair that was taken from the guest is with one of these users, whole. */
  readonly judgeTaken: (pair: string, lists: ReadonlyMap<OwnerId, readonly Widget[]>) => void
  readonly touchedBy: (user: OwnerId, widget: OptimisticWidget) => void
  readonly forgotten: (pair: string) => void
  /** Every pair is somewhere at the end, as the guest has left it, and nowhere twice. */
  readonly judge: (lists: ReadonlyMap<OwnerId, readonly Widget[]>) => void
}

export function noneTwice(shown: readonly Shown[], where: string): void {
  const coins = shown.map(coinsOf)
  if (new Set(coins).size < coins.length)
    throw new Violation('steady', `${where} has a pair twice: ${coins.join(', ')}`)
}

export function createFates(): Fates {
  const fates = new Map<string, Fate>()
  let taken: string[] = []
  const copiesOf = (pair: string, lists: ReadonlyMap<OwnerId, readonly Widget[]>) =>
    [...lists].flatMap(([owner, list]) => {
      const isCopy = (one: Widget): boolean =>
        isAnonymousOwner(owner) ? one.created_by_op === pair : isMadeWith(one, keyFor(pair, owner))
      return list.filter(isCopy).map((one) => ({ owner, one }))
    })
  return {
    takenAway() {
      const now = taken
      taken = []
      return now
    },
    judgeTaken(pair, lists) {
      const { coins, content, touched } = fates.get(pair)!
      const copies = copiesOf(pair, lists)
      if (copies.some(({ one }) => touched.size > 0 || contentOf(one) === content)) return
      const there = JSON.stringify(copies.map(({ one }) => contentOf(one)))
      throw new Violation('once', `taken from the guest too early: ${coins} ${content}; there is ${there}`)
    },
    guestBoard(shown, by, asked) {
      noneTwice(shown, 'the guest')
      for (const widget of shown) {
        const known = fates.get(guestPairId(widget))
        const content = contentOf(widget)
        if (known === undefined) {
          const coins = coinsOf(widget)
          fates.set(guestPairId(widget), {
            coins,
            content,
            moved: false,
            removed: false,
            changedSince: false,
            touched: new Set(),
            forgotten: false,
          })
          continue
        }
        known.removed = false
        if (known.content !== content) {
          if (by === 'machinery')
            throw new Violation('once', `${known.coins} changed by itself: ${known.content} to ${content}`)
          known.content = content
          known.changedSince ||= asked
        }
      }
      for (const [pair, fate] of fates) {
        if (fate.removed || fate.moved || shown.some((one) => guestPairId(one) === pair)) continue
        if (by === 'guest') fate.removed = true
        else {
          fate.moved = true
          taken.push(pair)
        }
      }
    },
    touchedBy(user, widget) {
      for (const [pair, fate] of fates) {
        if (isMadeWith(widget, keyFor(pair, user))) fate.touched.add(user)
      }
    },
    forgotten(pair) {
      const fate = fates.get(pair)
      if (fate !== undefined) fate.forgotten = true
    },
    judge(lists) {
      for (const [owner, list] of lists) noneTwice(list, owner)
      for (const [pair, fate] of fates) {
        const copies = copiesOf(pair, lists)
        const said = `${fate.coins} ${fate.content}, pair ${pair}`
        const whole = copies.filter(({ owner, one }) => fate.touched.has(owner) || contentOf(one) === fate.content)
        if (!fate.removed && fate.touched.size === 0 && whole.length === 0) {
          throw new Violation(
            'once',
            `lost: ${said}; there is ${JSON.stringify(copies.map(({ one }) => contentOf(one)))}`,
          )
        }
        if (copies.length > 1 && !fate.forgotten && !fate.changedSince && fate.touched.size === 0) {
          throw new Violation('once', `twice: ${said} at ${copies.map(({ owner }) => owner).join(', ')}`)
        }
      }
    },
  }
}
