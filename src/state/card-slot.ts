import { atom } from 'jotai'
import type { KeyboardEvent, PointerEvent } from 'react'
import type { WidgetView } from '../db/view'
import type { WidgetId } from '../domain/ids'
import type { InactiveNotice } from '../domain/tier-limits'

/** Props that the dashboard gives a card; all are stable while the card is unchanged. */
export interface CardSlot {
  readonly widget: WidgetView
  /** Place within its section, from 0, and the number of cards there. */
  readonly index: number
  readonly count: number
  /** Null for an active card. */
  readonly inactive: InactiveNotice | null
  /** Starts dragging a card; does nothing before drag and drop has loaded. */
  readonly drag: {
    pointerDown(key: string, event: PointerEvent): void
    keyDown(key: string, event: KeyboardEvent): void
  }
  readonly onOpenChart: (id: WidgetId) => void
  /** `to`: the new place within the section. Resolves once the new order is stored or refused. */
  readonly onMove: (key: string, to: number) => Promise<void>
  readonly onRemove: (key: string) => void
}

/** Props that the dashboard gives the list of the active pairs. */
export interface ListSlot extends Pick<CardSlot, 'onOpenChart' | 'onMove' | 'onRemove'> {
  /** In their order by hand. */
  readonly widgets: readonly WidgetView[]
}

/** The element that explains to screen readers how a card is moved; every handle points at it. */
export const MOVE_HELP_ID = 'move-pair-help'

/**
 * The id or key of the widget whose card takes the keyboard focus once rendered, and then clears this: a pair just added,
 * or the neighbour of one just removed.
 */
export const cardFocusAtom = atom<string | null>(null)

/** The keys of the active cards in a computed order; null: in the order by hand. Written by `CardOrder` alone. */
export const cardOrderAtom = atom<readonly string[] | null>(null)
