/** Colours and font of the canvas, read from the stylesheet's tokens. */
export interface Palette {
  readonly color: (token: string) => string
  /** Canvas font of axes and marks at so many device pixels to a CSS pixel. */
  readonly fontAt: (pixelRatio: number) => string
  /** How wide a text is in that font, CSS pixels. */
  readonly widthOf: (text: string) => number
}

const FORCED = '(forced-colors: active)'

/** CSS pixels. */
const FONT_SIZE = 12
/** How many texts' widths are kept. */
const KNOWN_TEXTS = 200

/** Measures text. Beside the document: to set a font on a canvas inside it makes it work out all its styles first. */
let pen: CanvasRenderingContext2D | null = null

function measureWith(font: string): (text: string) => number {
  const known = new Map<string, number>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    pen ??= document.createElement('canvas').getContext('2d')
    if (pen === null) return 0
    pen.font = font
    const { width } = pen.measureText(text)
    // Ticks come back; the newest ratio is another one with each poll.
    if (known.size >= KNOWN_TEXTS) known.clear()
    known.set(text, width)
    return width
  }
}

/** A system colour such as LinkText as the page paints it now: the canvas's own palette may be older. */
function asPainted(host: Element, color: string): string {
  const probe = document.createElement('span')
  probe.style.setProperty('forced-color-adjust', 'none')
  probe.style.color = color
  host.append(probe)
  const painted = getComputedStyle(probe).color
  probe.remove()
  return painted
}

/** The stylesheet as it stands now; read again by `watchTheme`'s callback. */
export function readPalette(host: Element): Palette {
  const style = getComputedStyle(host)
  const known = new Map<string, string>()
  const forced = matchMedia(FORCED).matches
  const color = (token: string): string => {
    const found = known.get(token)
    if (found !== undefined) return found
    const value = style.getPropertyValue(token).trim()
    const painted = forced ? asPainted(host, value) : value
    known.set(token, painted)
    return painted
  }
  const family = style.fontFamily
  const fontAt = (pixelRatio: number) => `500 ${FONT_SIZE * pixelRatio}px ${family}`
  return { color, fontAt, widthOf: measureWith(fontAt(1)) }
}
