import { deferredComponent } from './deferred-component'

/** Drag and drop for one list, from when its code has come; until then things move by their menus. */
export const SortingWhenLoaded = deferredComponent(async () => (await import('./sorting')).Sorting)
