/** Milliseconds after the last touch or scroll that still count as a finger on the list. */
const HANDS_OFF_MS = 5_000

/** The focus ring or an open menu is in the list. */
const BUSY = ':focus-visible, [aria-expanded="true"]'

export interface Hands {
  /** True while a mouse is over the list, focus in it or a finger on it. On a hidden page nobody is at it. */
  readonly areOn: () => boolean
  readonly end: () => void
}

/** Knows whether somebody is at a list just now; `onLeave` is called when that may have ended. */
export function watchHands(list: HTMLElement, onLeave: () => void): Hands {
  const listeners = new AbortController()
  const { signal } = listeners
  let isHovered = false
  let touched: ReturnType<typeof setTimeout> | undefined

  const touch = () => {
    clearTimeout(touched)
    touched = setTimeout(() => {
      touched = undefined
      onLeave()
    }, HANDS_OFF_MS)
  }
  const leave = () => {
    isHovered = false
    onLeave()
  }
  list.addEventListener('mouseenter', () => (isHovered = true), { signal })
  list.addEventListener('mouseleave', leave, { signal })
  list.addEventListener('touchstart', touch, { signal, passive: true })
  // The focus has arrived where it goes by the next task.
  list.addEventListener('focusout', () => setTimeout(onLeave), { signal })
  window.addEventListener('scroll', touch, { signal, passive: true })
  document.addEventListener('visibilitychange', onLeave, { signal })

  return {
    areOn: () =>
      document.visibilityState === 'visible' &&
      (isHovered || touched !== undefined || list.querySelector(BUSY) !== null),
    end: () => {
      listeners.abort()
      clearTimeout(touched)
    },
  }
}
