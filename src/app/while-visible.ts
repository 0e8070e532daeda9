/**
 * Runs work while the page is visible: `start` begins the work whenever the user comes to look, and returns the function that
 * ends it. Returns the function that ends all.
 */
export function whileVisible(start: () => () => void): () => void {
  let end: (() => void) | null = null
  const follow = () => {
    if (document.visibilityState === 'visible') {
      end ??= start()
      return
    }
    end?.()
    end = null
  }
  document.addEventListener('visibilitychange', follow)
  follow()
  return () => {
    document.removeEventListener('visibilitychange', follow)
    end?.()
  }
}
