interface Box {
  readonly left: number
  readonly right: number
  readonly y: number
}

/** What a label asks for; everything here is in the same pixels. */
export interface Label {
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
  const placed: Box[] = []
  return labels.map(({ width, y, right }) => {
    const inWay = placed.filter((box) => Math.abs(box.y - y) < height).toSorted((a, b) => a.left - b.left)
    let at = left
    for (const box of inWay) if (box.left < at + width + gap && at < box.right + gap) at = box.right + gap
    if (at + width > right) return null
    placed.push({ left: at, right: at + width, y })
    return at
  })
}
