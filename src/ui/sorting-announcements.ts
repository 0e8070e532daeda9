import type { Announcements, UniqueIdentifier } from '@dnd-kit/core'

/** What screen readers hear while something is dragged inside its list. */
export function sortingAnnouncements(keys: readonly string[], nameOf: (key: string) => string): Announcements {
  const name = (id: UniqueIdentifier) => nameOf(String(id))
  const place = (id: UniqueIdentifier) => keys.indexOf(String(id))
  return {
    onDragStart: ({ active }) => `${name(active.id)} picked up at position ${place(active.id) + 1} of ${keys.length}.`,
    onDragOver: ({ active, over }) => {
      // What was just picked up lies over its own place: saying so would drown out that it was picked up.
      if (over?.id === active.id) return undefined
      return over === null
        ? `${name(active.id)} is over no position.`
        : `${name(active.id)} is over position ${place(over.id) + 1} of ${keys.length}.`
    },
    // A move is announced by whoever carries it out, once it has been.
    onDragEnd: ({ active, over }) =>
      over === null || over.id === active.id ? `${name(active.id)} put back.` : undefined,
    onDragCancel: ({ active }) => `Moving cancelled; ${name(active.id)} is where it was.`,
  }
}
