import { atom } from 'jotai'
import type { WidgetId } from '../domain/ids'

/** The auth dialog's views. `notice` tells the user why a login is asked for, `problem` why the last attempt failed. */
export type AuthView =
  | { readonly view: 'login'; readonly notice?: string; readonly problem?: string }
  | { readonly view: 'register' }
  | { readonly view: 'forgotPassword' }
  /** `token` is from the link of the mail. */
  | { readonly view: 'resetPassword'; readonly token: string }

/** A dialog over the screen. src/app/overlays.tsx draws each kind. */
export type Overlay =
  | { readonly kind: 'add-pair' }
  | ({ readonly kind: 'auth' } & AuthView)
  /** Changes that wait to be sent, or that the server refused. */
  | { readonly kind: 'changes' }
  | { readonly kind: 'checkpoints'; readonly widget: WidgetId }
  | { readonly kind: 'confirm-identity'; readonly onAnswer: (confirmed: boolean) => void }
  | { readonly kind: 'feedback' }
  /** Notifications need the app on the home screen (iPhone, iPad). */
  | { readonly kind: 'home-screen' }
  | { readonly kind: 'log-out' }
  | { readonly kind: 'policy'; readonly policy: 'terms' | 'privacy' }
  | { readonly kind: 'upgrade' }

export type OverlayKind = Overlay['kind']

/** The open dialogs, the uppermost last; of each kind at most one. Written by the atoms below only. */
export const overlaysAtom = atom<readonly Overlay[]>([])

export const findOverlay = <K extends OverlayKind>(overlays: readonly Overlay[], kind: K) =>
  overlays.find((overlay): overlay is Extract<Overlay, { readonly kind: K }> => overlay.kind === kind)

/** Opens a dialog on top of the others; an open one of its kind is replaced where it stands. */
export const openOverlayAtom = atom(null, (get, set, overlay: Overlay) => {
  const overlays = get(overlaysAtom)
  const isOpen = findOverlay(overlays, overlay.kind) !== undefined
  set(
    overlaysAtom,
    isOpen ? overlays.map((one) => (one.kind === overlay.kind ? overlay : one)) : [...overlays, overlay],
  )
})

export const closeOverlayAtom = atom(null, (_get, set, kind: OverlayKind) =>
  set(overlaysAtom, (overlays) =>
    findOverlay(overlays, kind) === undefined ? overlays : overlays.filter((one) => one.kind !== kind),
  ),
)

/** Closes the dialogs of the former user of this browser. The login dialog of a guest stays open. */
export const closeOwnersOverlaysAtom = atom(null, (_get, set, isGuest: boolean) =>
  set(overlaysAtom, (overlays) => overlays.filter((overlay) => outlivesOwner(overlay, isGuest))),
)

function outlivesOwner(overlay: Overlay, isGuest: boolean): boolean {
  switch (overlay.kind) {
    case 'add-pair':
    case 'changes':
    case 'checkpoints':
    case 'feedback':
    case 'log-out':
    case 'upgrade':
      return false
    case 'confirm-identity':
    case 'home-screen':
    case 'policy':
      return true
    // A mail's link can be followed once, even if another user signs in meanwhile.
    case 'auth':
      return isGuest || overlay.view === 'resetPassword'
  }
}
