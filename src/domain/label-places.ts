/** CSS pixels between the box and what it stands beside. */
const ASIDE = 16

/**
 * Left and top edge of the box: beside the point whose values it has, which may be far from the crosshair in a zoomed
 * chart, and beside the crosshair as well; at the top, where no finger hides it, unless the plot is so narrow that the
 * box would cover the point there.
 * @param points places of the values at one x, CSS pixels from the plot's left and top edge; the crosshair is at `cursorX`
 */
export function readoutPlace(
  plot: { readonly width: number; readonly height: number },
  box: { readonly width: number; readonly height: number },
  points: readonly { readonly x: number; readonly y: number }[],
  cursorX: number,
): { readonly left: number; readonly top: number } {
  const xs = [cursorX, ...points.map(({ x }) => x)]
  const before = Math.min(...xs) - ASIDE - box.width
  const after = Math.max(...xs) + ASIDE
  const fitsAfter = after + box.width <= plot.width
  const wanted = fitsAfter && (before < 0 || Math.min(...xs) <= plot.width / 2) ? after : before
  const left = Math.max(0, Math.min(plot.width - box.width, wanted))
  const bottom = Math.max(0, plot.height - box.height)
  const covers = (top: number) =>
    points.filter(
      ({ x, y }) => x > left - ASIDE && x < left + box.width + ASIDE && y > top - ASIDE && y < top + box.height + ASIDE,
    ).length
  return { left, top: covers(bottom) < covers(0) ? bottom : 0 }
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
