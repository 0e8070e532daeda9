import type { Announcements, UniqueIdentifier } from '@dnd-kit/core'

/** What a card's handle says of itself to screen readers. */
export const MOVE_HELP =
  'Press Enter for a menu of moves, or Space to pick the card up, arrow keys to move it, Space to drop it and Escape to put it back.'

export const movedTo = (name: string, place: number, count: number): string =>
  `${name} moved to position ${place + 1} of ${count}.`

/** What screen readers hear while a card is dragged inside its section. */
export function sortingAnnouncements(keys: readonly string[], nameOf: (key: string) => string): Announcements {
  const name = (id: UniqueIdentifier) => nameOf(String(id))
  const place = (id: UniqueIdentifier) => keys.indexOf(String(id))
  return {
    onDragStart: ({ active }) => `${name(active.id)} picked up at position ${place(active.id) + 1} of ${keys.length}.`,
    onDragOver: ({ active, over }) => {
      // A card just picked up lies over its own place: saying so would drown out that it was picked up.
      if (over?.id === active.id) return undefined
      return over === null
        ? `${name(active.id)} is over no position.`
        : `${name(active.id)} is over position ${place(over.id) + 1} of ${keys.length}.`
    },
    onDragEnd: ({ active, over }) =>
      over === null ? `${name(active.id)} put back.` : movedTo(name(active.id), place(over.id), keys.length),
    onDragCancel: ({ active }) => `Moving cancelled; ${name(active.id)} is where it was.`,
  }
}
