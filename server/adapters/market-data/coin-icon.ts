import { SIMULATED_COINS } from './simulated/coins'

/** Hues that stand well beside each other, for coins whose own colour is not known. */
const HUES = ['#3867d6', '#8854d0', '#20a58a', '#d1622b', '#c0392b', '#2d98da', '#6a7f2a', '#b8388f']
const OWN: ReadonlyMap<string, string> = new Map(SIMULATED_COINS.map(({ id, colour }) => [id, colour]))

function colourOf(id: string): string {
  let sum = 0
  for (let i = 0; i < id.length; i++) sum = (sum * 31 + id.charCodeAt(i)) >>> 0
  return OWN.get(id) ?? HUES[sum % HUES.length]!
}

/** Relative luminance (WCAG 2) of a colour `#rrggbb`. */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

/** Letters and digits alone go into the picture; the longer the mark, the smaller it is set. */
const markOf = (symbol: string): string => symbol.replace(/[^A-Za-z0-9]/g, '').slice(0, 4).toUpperCase() // prettier-ignore
const SIZES = [30, 30, 25, 20, 16]

/** A coin's icon as SVG: its mark on a disc of its colour. Drawn here, so that nothing is fetched from elsewhere. */
export function coinIcon(id: string, symbol: string): string {
  const colour = colourOf(id)
  const mark = markOf(symbol)
  // The better contrast of the two: equal at a luminance of 0.179.
  const ink = luminance(colour) > 0.179 ? '#10131a' : '#ffffff'
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">` +
    `<circle cx="32" cy="32" r="32" fill="${colour}"/>` +
    `<circle cx="32" cy="32" r="27.5" fill="none" stroke="${ink}" stroke-opacity=".28" stroke-width="1.5"/>` +
    `<text x="32" y="32" fill="${ink}" font-family="Inter,Arial,Helvetica,sans-serif" font-weight="700" ` +
    `font-size="${SIZES[mark.length]}" text-anchor="middle" dominant-baseline="central">${mark}</text></svg>`
  )
}
