import { atom } from 'jotai'

/** Takes over the new version and reloads; null while there is none. */
export const updateOfferAtom = atom<{ readonly accept: () => void } | null>(null)

/** How this browser can install the app. */
export type InstallOffer =
  /** The browser's own dialog; it can be asked for once. */
  | { readonly kind: 'prompt'; readonly ask: () => Promise<void> }
  /** iPhone and iPad: only the share sheet can do it. */
  | { readonly kind: 'share-sheet' }
  | { readonly kind: 'installed' }
  | { readonly kind: 'unavailable' }

export const installOfferAtom = atom<InstallOffer>({ kind: 'unavailable' })
