import type { MatrixCells } from './matrix-cells'

/** Deviations at which the colours end. */
export const COLOR_END = 3
/** Steps of the scale on either side of the middle. */
const COLOR_STEPS = 48

/** Colours of the canvas, as the page paints them now. */
export interface MatrixTheme {
  /** Of −COLOR_END to +COLOR_END, evenly; packed as an image has them, little-endian. */
  readonly scale: Uint32Array
  /** Of cells without a figure, and of the lines between the cells. */
  readonly empty: number
  readonly background: string
  readonly text: string
  readonly font: string
  /** The user's own palette has two colours: squares then say by size and filling what colour says else. */
  readonly isForced: boolean
}

type Rgb = readonly [red: number, green: number, blue: number]

const pack = ([red, green, blue]: Rgb): number => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0
const mix = (from: Rgb, to: Rgb, share: number): Rgb => {
  const between = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * share)
  return [between(0), between(1), between(2)]
}

/** Colour as numbers; the browser converts whatever a stylesheet may say. */
function rgbOf(color: string): Rgb {
  const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map(Number)
  return [red, green, blue]
}

/** The stylesheet's colours as they are painted inside `host`, system colours included. */
export function readMatrixTheme(host: Element): MatrixTheme {
  const probe = document.createElement('span')
  probe.style.setProperty('forced-color-adjust', 'none')
  host.append(probe)
  const painted = (token: string): string => {
    probe.style.color = `var(${token})`
    return getComputedStyle(probe).color
  }
  const [low, middle, high] = [rgbOf(painted('--down')), rgbOf(painted('--bg-sunken')), rgbOf(painted('--up'))]
  const scale = new Uint32Array(2 * COLOR_STEPS + 1)
  for (let step = -COLOR_STEPS; step <= COLOR_STEPS; step++) {
    scale[step + COLOR_STEPS] = pack(mix(middle, step < 0 ? low : high, Math.abs(step) / COLOR_STEPS))
  }
  const background = painted('--bg-surface')
  const theme = {
    scale,
    empty: pack(rgbOf(background)),
    background,
    text: painted('--text-muted'),
    font: getComputedStyle(host).fontFamily,
    isForced: matchMedia('(forced-colors: active)').matches,
  }
  probe.remove()
  return theme
}

/** Index into a theme's scale. */
const stepOf = (z: number): number =>
  Math.round((Math.max(-COLOR_END, Math.min(COLOR_END, z)) / COLOR_END) * COLOR_STEPS) + COLOR_STEPS

/** The colour of a z, for the legend. */
export function cssColorOf({ scale }: MatrixTheme, z: number): string {
  const packed = scale[stepOf(z)]!
  return `rgb(${packed & 255} ${(packed >> 8) & 255} ${(packed >> 16) & 255})`
}

/** Measures of the drawing. */
export interface MatrixLayout {
  /** Device pixels to a CSS pixel. */
  readonly ratio: number
  /** Device pixels of a cell, its line included, and of the room for names at the left and above. */
  readonly cell: number
  readonly gutter: number
}

/** CSS pixels of the room for names, and of the least distance between two names. */
const [GUTTER, NAME_SPACING] = [44, 13]
/** Device pixels of the largest cell, by CSS pixel: a few coins need no whole screen. */
const MAX_CELL = 44

/** Cells of whole device pixels, as large as the width allows. @param width CSS pixels */
export function matrixLayout(width: number, size: number, ratio: number): MatrixLayout {
  const gutter = Math.round(GUTTER * ratio)
  const cell = Math.floor((width * ratio - gutter) / size)
  return { ratio, gutter, cell: Math.max(1, Math.min(Math.round(MAX_CELL * ratio), cell)) }
}

/** Device pixels of the whole drawing's width and height. */
export const drawnSize = ({ gutter, cell }: MatrixLayout, size: number): number => gutter + cell * size

/** A pixel for each cell; scaled up by the browser, which costs less than 10,000 rectangles. */
let pixels: HTMLCanvasElement | null = null

export function drawMatrix(
  canvas: HTMLCanvasElement,
  cells: MatrixCells,
  names: readonly string[],
  layout: MatrixLayout,
  theme: MatrixTheme,
): void {
  const { size } = cells
  const side = drawnSize(layout, size)
  if (canvas.width !== side || canvas.height !== side) canvas.width = canvas.height = side
  const context = canvas.getContext('2d')
  if (context === null || size === 0) return
  context.fillStyle = theme.background
  context.fillRect(0, 0, side, side)
  if (theme.isForced) drawSquares(context, cells, layout, theme)
  else drawColors(context, cells, layout, theme)
  drawNames(context, names, layout, theme)
}

function drawColors(
  context: CanvasRenderingContext2D,
  { size, z }: MatrixCells,
  layout: MatrixLayout,
  theme: MatrixTheme,
) {
  const { cell, gutter, ratio } = layout
  pixels ??= document.createElement('canvas')
  pixels.width = pixels.height = size
  const small = pixels.getContext('2d')
  if (small === null) return
  const image = small.createImageData(size, size)
  const colors = new Uint32Array(image.data.buffer)
  for (let at = 0; at < z.length; at++) {
    const value = z[at]!
    colors[at] = Number.isNaN(value) ? theme.empty : theme.scale[stepOf(value)]!
  }
  small.putImageData(image, 0, 0)
  context.imageSmoothingEnabled = false
  context.drawImage(pixels, gutter, gutter, size * cell, size * cell)
  const line = cell >= 7 * ratio ? Math.max(1, Math.round(cell / 16)) : 0
  if (line === 0) return
  context.fillStyle = theme.background
  for (let index = 1; index <= size; index++) {
    const at = gutter + index * cell - line
    context.fillRect(at, gutter, line, size * cell)
    context.fillRect(gutter, at, size * cell, line)
  }
}

/** The further from the average, the larger; filled above it, hollow below it. */
function drawSquares(
  context: CanvasRenderingContext2D,
  { size, z }: MatrixCells,
  layout: MatrixLayout,
  theme: MatrixTheme,
) {
  const { cell, gutter, ratio } = layout
  context.fillStyle = context.strokeStyle = theme.text
  context.lineWidth = Math.max(1, Math.round(ratio))
  for (let at = 0; at < z.length; at++) {
    const value = z[at]!
    if (Number.isNaN(value)) continue
    const edge = Math.max(1, (Math.min(COLOR_END, Math.abs(value)) / COLOR_END) * (cell - 2))
    const x = gutter + (at % size) * cell + (cell - edge) / 2
    const y = gutter + Math.floor(at / size) * cell + (cell - edge) / 2
    if (value > 0) context.fillRect(x, y, edge, edge)
    else if (edge > 2 * context.lineWidth) {
      const half = context.lineWidth / 2
      context.strokeRect(x + half, y + half, edge - 2 * half, edge - 2 * half)
    }
  }
}

/** The coins' symbols at the left and above, as many as there is room for. */
function drawNames(
  context: CanvasRenderingContext2D,
  names: readonly string[],
  { cell, gutter, ratio }: MatrixLayout,
  theme: MatrixTheme,
): void {
  const every = Math.ceil((NAME_SPACING * ratio) / cell)
  context.fillStyle = theme.text
  context.font = `500 ${11 * ratio}px ${theme.font}`
  context.textBaseline = 'middle'
  const room = gutter - 6 * ratio
  for (let index = 0; index < names.length; index += every) {
    const middle = gutter + (index + 0.5) * cell
    context.textAlign = 'right'
    context.fillText(names[index]!, gutter - 4 * ratio, middle, room)
    context.save()
    context.translate(middle, gutter - 4 * ratio)
    context.rotate(-Math.PI / 2)
    context.textAlign = 'left'
    context.fillText(names[index]!, 0, 0, room)
    context.restore()
  }
}
