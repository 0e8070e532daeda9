import { atom, useStore, type createStore } from 'jotai'
import { useCallback } from 'react'
import type { LocalDatabase } from '../db/database'
import { readBoard } from '../db/queries/board'
import type { BoardView, WidgetView } from '../db/view'
import { boardAtom } from './live-data'
import { useServices } from './services'
import { keepIdentity, keepItems } from './structural-sharing'
import { tellOthers, wishesElsewhereAtom } from './wishes-elsewhere'

type Store = ReturnType<typeof createStore>

/** What a change will make of the board, in absolute terms: laid over a board that has it already, it changes nothing. */
export type Wish =
  | { readonly kind: 'change'; readonly key: string; readonly change: Partial<WidgetView> }
  | { readonly kind: 'hide'; readonly key: string }
  /** Keys of all widgets; what is not named keeps its order at the end. */
  | { readonly kind: 'order'; readonly keys: readonly string[] }

export const wishesAtom = atom<readonly Wish[]>([])

function granted(widgets: readonly WidgetView[], wish: Wish): readonly WidgetView[] {
  switch (wish.kind) {
    case 'change':
      return widgets.map((one) => (one.key === wish.key ? { ...one, ...wish.change } : one))
    case 'hide':
      return widgets.filter((one) => one.key !== wish.key)
    case 'order': {
      const places = new Map(wish.keys.map((key, index) => [key, index]))
      const placeOf = ({ key }: WidgetView) => places.get(key) ?? wish.keys.length
      return widgets.toSorted((a, b) => placeOf(a) - placeOf(b))
    }
  }
}

const keyOf = (widget: WidgetView) => widget.key

/** The board as the user has made it: what was just done stands before the local database has said so. */
export const shownBoardAtom = atom((get): BoardView | undefined => {
  const board = get(boardAtom)
  const elsewhere = [...get(wishesElsewhereAtom).values()].filter(({ owner }) => owner === board?.owner)
  const wishes = [...elsewhere.flatMap(({ wish }) => wish ?? []), ...get(wishesAtom)]
  if (board === undefined || wishes.length === 0) return board
  return { ...board, widgets: keepItems(board.widgets, wishes.reduce(granted, board.widgets), keyOf) }
})

/** `next`, with every widget that is as it was keeping its identity, so that its card rests. */
export const shareBoard = (previous: BoardView | undefined, next: BoardView | undefined): BoardView | undefined =>
  previous === undefined || next === undefined
    ? next
    : keepIdentity(previous, { ...next, widgets: keepItems(previous.widgets, next.widgets, keyOf) })

/** Reads the board now, so that what a wish showed is there when the wish ends. */
export async function readAgain(store: Store, db: LocalDatabase): Promise<void> {
  const before = store.get(boardAtom)
  const board = await readBoard(db)
  // A live query that was faster is at least as new.
  if (store.get(boardAtom) === before) store.set(boardAtom, shareBoard(before, board))
}

const subjectOf = (wish: Wish) => (wish.kind === 'order' ? null : wish.key)

/** What each wish's command has come to, or will. */
const carriedOut = new WeakMap<Wish, Promise<unknown>>()

/**
 * Shows a change in the frame of its click, here and in the other tabs, and carries it out, behind what was begun before
 * of the same widget: the code of a later command may come first. The wish ends at once when the command is refused or
 * fails, and else when the board has been read after the command; nothing flashes back in between.
 *
 * A wish with a condition shows meanwhile, and holds nothing else of the widget up: its turn comes when the condition is
 * met. What a condition resolves with is the wish's end, undefined lets the command begin.
 */
export function useWish() {
  const store = useStore()
  const { db, uuid } = useServices().commands
  return useCallback(
    async <R extends { readonly ok: boolean }>(
      wish: Wish,
      command: () => Promise<R>,
      condition?: Promise<R | undefined>,
    ): Promise<R> => {
      const owner = store.get(boardAtom)?.owner
      const endElsewhere = owner && tellOthers(uuid(), owner, wish)
      const drop = () => {
        store.set(wishesAtom, (wishes) => wishes.filter((one) => one !== wish))
        endElsewhere?.()
      }
      const inTurn = (): Promise<R> => {
        const earlier = store
          .get(wishesAtom)
          .findLast((one) => subjectOf(one) === subjectOf(wish) && carriedOut.has(one))
        const before = earlier && carriedOut.get(earlier)
        const done = before === undefined ? command() : before.then(command, command)
        carriedOut.set(wish, done)
        return done
      }
      store.set(wishesAtom, (wishes) => [...wishes, wish])
      try {
        const result = (condition && (await condition)) ?? (await inTurn())
        if (result.ok) readAgain(store, db).catch(reportFailure).finally(drop)
        else drop()
        return result
      } catch (error) {
        drop()
        throw error
      }
    },
    [store, db, uuid],
  )
}

const reportFailure = (error: unknown) => reportError(error)
