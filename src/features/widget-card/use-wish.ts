import { useState } from 'react'
import type { WidgetView } from '../../db/view'

/**
 * The widget as the user has just changed it. It stands until the local database says something new, so that a change
 * shows in the frame of its click and not after a transaction and a live query; a refused one is taken back.
 */
export function useWish(widget: WidgetView) {
  const [wish, setWish] = useState<{ readonly base: WidgetView; readonly shown: WidgetView } | null>(null)
  const shown = wish?.base === widget ? wish.shown : widget
  return {
    shown,
    // Over what is wished already: a second change may be faster than the first one's transaction.
    wishFor: (change: Partial<WidgetView>) => setWish({ base: widget, shown: { ...shown, ...change } }),
    takeBack: () => setWish(null),
  }
}
