import { lateComponent } from './late-component'

/** Drag and drop for one list, once its code is loaded; until then the user moves items by their menus. */
export const SortingWhenLoaded = lateComponent(async () => (await import('./drag-and-drop')).Sorting)
