import type uPlot from 'uplot'
import { formatRatio } from '../../../domain/format-number'
import { REFERENCE_STYLES, type Reference } from '../lines'
import type { PlotModel } from './model'
import type { Palette } from './palette'

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

  const drawLabels = (u: uPlot) => {
    const { ctx, bbox } = u
    const ratio = devicePixelRatio
    const all = placed(u)
    if (all.length === 0) return
    ctx.save()
    ctx.font = palette().fontAt(ratio)
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
      const color = palette().color(REFERENCE_STYLES[reference.kind].token)
      ctx.beginPath()
      ctx.roundRect(left, top, label.width, HEIGHT * ratio, 4 * ratio)
      ctx.fillStyle = palette().color('--bg-surface')
      ctx.fill()
      ctx.strokeStyle = color
      ctx.stroke()
      ctx.fillStyle = color
      ctx.fillText(label.text, left + PADDING * ratio, label.y + ratio)
    })
    ctx.restore()
  }

  return { hooks: { drawAxes: drawLines, draw: drawLabels } }
}

const ARROWS = { above: '↑', below: '↓' } as const

function labelText({ kind, value, beyond }: Placed): string {
  const parts = [beyond && ARROWS[beyond], REFERENCE_STYLES[kind].label, formatRatio(value)]
  return parts.filter(Boolean).join(' ')
}

/** The space that a label needs, all in the same pixels. */
interface Label {
  readonly width: number
  /** Of its middle. */
  readonly y: number
  /** How far to the right it may end. */
  readonly right: number
}

/**
 * Places labels at the left edge, the most important first; one that would cover another goes to its right, and one that
 * would end too far to the right is left out.
 * @param space `height` of a label with what is to be free above and below, `gap` beside it
 * @returns left edges; null: left out
 */
export function placeLabels(
  labels: readonly Label[],
  left: number,
  { height, gap }: { readonly height: number; readonly gap: number },
): (number | null)[] {
  const placed: { readonly left: number; readonly right: number; readonly y: number }[] = []
  return labels.map(({ width, y, right }) => {
    const inWay = placed.filter((box) => Math.abs(box.y - y) < height).toSorted((a, b) => a.left - b.left)
    let at = left
    for (const box of inWay) if (box.left < at + width + gap && at < box.right + gap) at = box.right + gap
    if (at + width > right) return null
    placed.push({ left: at, right: at + width, y })
    return at
  })
}
