/** True while something is being dragged, by pointer or keys (sorting.tsx marks it): keys are meant for the drag then. */
export const isDragging = (): boolean => document.querySelector('[data-dragging]') !== null
