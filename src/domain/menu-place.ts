interface Box {
  readonly top: number
  readonly right: number
  readonly bottom: number
}
interface Size {
  readonly width: number
  readonly height: number
}

/** Pixels between a menu and its handle, and between a menu and the edge of the window. */
const GAP = 4
const EDGE = 8

/** Upper left corner of a menu: right edges in line, below its handle, or above it where it would not fit. */
export function menuPlace(handle: Box, menu: Size, viewport: Size) {
  const below = handle.bottom + GAP
  const fits = below + menu.height <= viewport.height - EDGE
  const top = fits ? below : Math.max(EDGE, handle.top - GAP - menu.height)
  return { left: Math.max(EDGE, handle.right - menu.width), top }
}
