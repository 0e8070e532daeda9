import type uPlot from 'uplot'
import { formatRatio } from '../../../domain/format-number'
import { placeLabels } from '../../../domain/label-places'
import { REFERENCE_STYLES, type Reference } from '../lines'
import type { PlotModel } from './model'
import type { Palette } from './palette'
import { RATIO_SERIES } from './series'

/** CSS pixels. */
const LABEL_HEIGHT = 18
const LABEL_PADDING = 5
const LABEL_MARGIN = 4
/** Labels end within this share of the width, the newest points being at the other end; those that may be many keep to less. */
const LABEL_SHARE = 0.75
const LABEL_SHARE_OF_MANY = 0.35

interface Placed extends Reference {
  /** Device pixels. */
  readonly y: number
  /** The side on which the value lies beyond the value axis; null: inside. */
  readonly beyond: 'above' | 'below' | null
}

/**
 * Alerts and checkpoints: level lines behind the chart's own, each with a label at the left edge. A value too far
 * away to be shown without flattening the chart is a label at the upper or lower edge.
 */
export function referenceLines(model: () => PlotModel, palette: () => Palette): uPlot.Plugin {
  const placed = (u: uPlot): Placed[] => {
    const { min, max } = u.scales['y'] ?? {}
    if (min == null || max == null) return []
    const top = u.bbox.top
    const inset = (LABEL_HEIGHT / 2 + LABEL_MARGIN) * devicePixelRatio
    return model().view.references.map((reference) => {
      if (reference.value > max) return { ...reference, beyond: 'above', y: top + inset }
      if (reference.value < min) return { ...reference, beyond: 'below', y: top + u.bbox.height - inset }
      return { ...reference, beyond: null, y: Math.round(u.valToPos(reference.value, 'y', true)) }
    })
  }

  const drawLines = (u: uPlot) => {
    const { ctx, bbox } = u
    ctx.save()
    for (const { kind, y, beyond } of placed(u)) {
      if (beyond !== null) continue
      const { token, dash, width } = REFERENCE_STYLES[kind]
      ctx.strokeStyle = palette().color(token)
      ctx.lineWidth = width * devicePixelRatio
      ctx.setLineDash(dash.map((length) => length * devicePixelRatio))
      ctx.beginPath()
      ctx.moveTo(bbox.left, y)
      ctx.lineTo(bbox.left + bbox.width, y)
      ctx.stroke()
    }
    ctx.restore()
  }

  return { hooks: { drawAxes: drawLines, draw: (u) => drawLabels(u, placed(u), palette()) } }
}

function drawLabels({ ctx, bbox }: uPlot, all: readonly Placed[], palette: Palette): void {
  if (all.length === 0) return
  const ratio = devicePixelRatio
  ctx.save()
  ctx.font = palette.fontAt(ratio)
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'left'
  ctx.lineWidth = ratio
  const labels = all.map((reference) => {
    const text = labelText(reference)
    const share = reference.kind === 'checkpoint' ? LABEL_SHARE_OF_MANY : LABEL_SHARE
    const right = bbox.left + bbox.width * share
    return { text, y: reference.y, width: ctx.measureText(text).width + 2 * LABEL_PADDING * ratio, right }
  })
  const lefts = placeLabels(labels, bbox.left + LABEL_MARGIN * ratio, {
    height: (LABEL_HEIGHT + 2) * ratio,
    gap: LABEL_MARGIN * ratio,
  })
  lefts.forEach((left, i) => {
    const label = labels[i]
    const reference = all[i]
    if (left === null || label === undefined || reference === undefined) return
    const top = label.y - (LABEL_HEIGHT / 2) * ratio
    const color = palette.color(REFERENCE_STYLES[reference.kind].token)
    ctx.beginPath()
    ctx.roundRect(left, top, label.width, LABEL_HEIGHT * ratio, 4 * ratio)
    ctx.fillStyle = palette.color('--bg-surface')
    ctx.fill()
    ctx.strokeStyle = color
    ctx.stroke()
    ctx.fillStyle = color
    ctx.fillText(label.text, left + LABEL_PADDING * ratio, label.y + ratio)
  })
  ctx.restore()
}

const ARROWS = { above: '↑', below: '↓' } as const

function labelText({ kind, value, beyond, label }: Placed): string {
  const parts = [beyond && ARROWS[beyond], label ?? REFERENCE_STYLES[kind].label, formatRatio(value)]
  return parts.filter(Boolean).join(' ')
}

/** CSS pixels between the lines of the hatch, which tells the stretch apart where colours are few. */
const HATCH = 6
const SHADE_OPACITY = 0.14
const HATCH_OPACITY = 0.55

/** Shades the stretches of the ratio beyond the high and the low alert, between line and threshold. */
export function beyondShade(model: () => PlotModel, palette: () => Palette): uPlot.Plugin {
  const shade = (u: uPlot, value: number, isHigh: boolean, color: string) => {
    const { ctx, bbox } = u
    const threshold = u.valToPos(value, 'y', true)
    const top = isHigh ? bbox.top : Math.max(bbox.top, threshold)
    const bottom = isHigh ? Math.min(bbox.top + bbox.height, threshold) : bbox.top + bbox.height
    if (bottom <= top || !traceStretch(u, threshold)) return
    ctx.save()
    ctx.clip()
    ctx.beginPath()
    ctx.rect(bbox.left, top, bbox.width, bottom - top)
    ctx.clip()
    ctx.globalAlpha = SHADE_OPACITY
    ctx.fillStyle = color
    ctx.fill()
    ctx.globalAlpha = HATCH_OPACITY
    ctx.strokeStyle = color
    ctx.lineWidth = devicePixelRatio
    ctx.beginPath()
    const height = bottom - top
    for (let x = bbox.left - height; x < bbox.left + bbox.width; x += HATCH * devicePixelRatio) {
      ctx.moveTo(x, bottom)
      ctx.lineTo(x + height, top)
    }
    ctx.stroke()
    ctx.restore()
  }

  const draw = (u: uPlot) => {
    for (const { kind, value } of model().view.references) {
      if (kind === 'high') shade(u, value, true, palette().color('--chart-high'))
      if (kind === 'low') shade(u, value, false, palette().color('--chart-low'))
    }
  }
  return { hooks: { drawAxes: draw } }
}

/** Traces the ratio line's visible part, closed along the threshold; false where there is nothing to trace. */
function traceStretch(u: uPlot, threshold: number): boolean {
  const { ctx } = u
  const [times] = u.data
  const ratios = u.data[RATIO_SERIES]
  const [from, to] = u.series[0]?.idxs ?? [0, -1]
  if (ratios === undefined || to <= from) return false
  ctx.beginPath()
  ctx.moveTo(u.valToPos(times[from]!, 'x', true), threshold)
  for (let i = from; i <= to; i++) {
    const ratio = ratios[i]
    if (ratio == null) continue
    ctx.lineTo(u.valToPos(times[i]!, 'x', true), u.valToPos(ratio, 'y', true))
  }
  ctx.lineTo(u.valToPos(times[to]!, 'x', true), threshold)
  ctx.closePath()
  return true
}

/** CSS pixels: half the width of a mark, and its distance from the line. */
const SWAP_HALF = 6
const SWAP_DISTANCE = 9

/** Triangles at a backtest's swaps: one that points down above the line where A became B, one that points up below it where B became A. */
export function swapMarks(model: () => PlotModel, palette: () => Palette): uPlot.Plugin {
  const draw = (u: uPlot) => {
    const { swaps } = model().view
    if (swaps === undefined || swaps.length === 0) return
    const { ctx, bbox } = u
    const pixels = devicePixelRatio
    ctx.save()
    ctx.beginPath()
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
    ctx.clip()
    ctx.lineWidth = 1.5 * pixels
    ctx.strokeStyle = palette().color('--bg-surface')
    for (const { at, to } of swaps) {
      const value = u.data[RATIO_SERIES]?.[at]
      const time = u.data[0][at]
      if (value == null || time === undefined) continue
      const x = u.valToPos(time, 'x', true)
      if (x < bbox.left || x > bbox.left + bbox.width) continue
      const up = to === 'a' ? 1 : -1
      const y = u.valToPos(value, 'y', true) + up * SWAP_DISTANCE * pixels
      ctx.beginPath()
      ctx.moveTo(x, y - up * SWAP_HALF * pixels)
      ctx.lineTo(x + SWAP_HALF * pixels, y + up * SWAP_HALF * 0.7 * pixels)
      ctx.lineTo(x - SWAP_HALF * pixels, y + up * SWAP_HALF * 0.7 * pixels)
      ctx.closePath()
      ctx.fillStyle = palette().color(to === 'b' ? '--chart-high' : '--chart-low')
      ctx.fill()
      ctx.stroke()
    }
    ctx.restore()
  }
  return { hooks: { draw } }
}
