export type Mark = 'rose' | 'fell'

/** Milliseconds that a changed figure stays marked. */
const MARKED_FOR = 900

let marked: HTMLElement[] = []
let timer: ReturnType<typeof setTimeout> | null = null

function unmark(): void {
  for (const element of marked) delete element.dataset.mark
  marked = []
  timer = null
}

/**
 * Marks an element for a moment as `data-mark`. A poll changes hundreds of figures at once: one timer ends all their
 * marks, and none of them renders or animates for it.
 */
export function mark(element: HTMLElement, as: Mark): void {
  element.dataset.mark = as
  marked.push(element)
  if (timer === null) timer = setTimeout(unmark, MARKED_FOR)
}
