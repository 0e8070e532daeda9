/** What a handle says of itself to screen readers. */
export const MOVE_HELP =
  'Press Enter for a menu of moves, or Space to pick it up, arrow keys to move it, Space to drop it and Escape to put it back.'

export const movedTo = (name: string, place: number, count: number): string =>
  `${name} moved to position ${place + 1} of ${count}.`
