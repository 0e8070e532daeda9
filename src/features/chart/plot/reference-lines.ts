import type uPlot from 'uplot'
import { formatRatio } from '../../../domain/format-number'
import { REFERENCE_STYLES, type Reference } from '../lines'
import type { PlotModel } from './model'
import type { Palette } from './palette'
import { placeLabels } from '../../../domain/label-places'

/** CSS pixels. */
const HEIGHT = 18
const PADDING = 5
const MARGIN = 4
/** Labels end within this share of the width, the newest points being at the other end; those that may be many keep to less. */
const SHARE = 0.75
const SHARE_OF_MANY = 0.35

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
    const inset = (HEIGHT / 2 + MARGIN) * devicePixelRatio
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
    const share = reference.kind === 'checkpoint' ? SHARE_OF_MANY : SHARE
    const right = bbox.left + bbox.width * share
    return { text, y: reference.y, width: ctx.measureText(text).width + 2 * PADDING * ratio, right }
  })
  const lefts = placeLabels(labels, bbox.left + MARGIN * ratio, {
    height: (HEIGHT + 2) * ratio,
    gap: MARGIN * ratio,
  })
  lefts.forEach((left, i) => {
    const label = labels[i]
    const reference = all[i]
    if (left === null || label === undefined || reference === undefined) return
    const top = label.y - (HEIGHT / 2) * ratio
    const color = palette.color(REFERENCE_STYLES[reference.kind].token)
    ctx.beginPath()
    ctx.roundRect(left, top, label.width, HEIGHT * ratio, 4 * ratio)
    ctx.fillStyle = palette.color('--bg-surface')
    ctx.fill()
    ctx.strokeStyle = color
    ctx.stroke()
    ctx.fillStyle = color
    ctx.fillText(label.text, left + PADDING * ratio, label.y + ratio)
  })
  ctx.restore()
}

const ARROWS = { above: '↑', below: '↓' } as const

function labelText({ kind, value, beyond }: Placed): string {
  const parts = [beyond && ARROWS[beyond], REFERENCE_STYLES[kind].label, formatRatio(value)]
  return parts.filter(Boolean).join(' ')
}
