import { lastingPart } from './lasting-part'

/** Drag and drop for one list, from when its code has come; until then things move by their menus. */
export const SortingWhenLoaded = lastingPart(async () => (await import('./sorting')).Sorting)
