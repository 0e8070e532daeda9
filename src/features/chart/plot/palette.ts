/** Colours and font of the canvas, read from the stylesheet's tokens. */
export interface Palette {
  readonly color: (token: string) => string
  /** Canvas font of axes and marks at so many device pixels to a CSS pixel. */
  readonly fontAt: (pixelRatio: number) => string
}

/** CSS pixels. */
const FONT_SIZE = 12

/** The stylesheet as it stands now; read again by `watchTheme`'s callback. */
export function readPalette(host: Element): Palette {
  const style = getComputedStyle(host)
  const known = new Map<string, string>()
  const color = (token: string): string => {
    const found = known.get(token) ?? style.getPropertyValue(token).trim()
    known.set(token, found)
    return found
  }
  const family = style.fontFamily
  return { color, fontAt: (pixelRatio) => `500 ${FONT_SIZE * pixelRatio}px ${family}` }
}

/** Calls `changed` whenever the tokens may have other values or a font has arrived; returns how to stop. */
export function watchTheme(changed: () => void): () => void {
  const attribute = new MutationObserver(changed)
  attribute.observe(document.documentElement, { attributeFilter: ['data-theme', 'class', 'style'] })
  const queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((query) => matchMedia(query))
  for (const query of queries) query.addEventListener('change', changed)
  document.fonts?.addEventListener('loadingdone', changed)
  return () => {
    attribute.disconnect()
    for (const query of queries) query.removeEventListener('change', changed)
    document.fonts?.removeEventListener('loadingdone', changed)
  }
}
