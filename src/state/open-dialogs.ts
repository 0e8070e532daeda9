import { atom } from 'jotai'
import type { AlertSide } from '../domain/alerts'
import type { WidgetId } from '../domain/ids'

/** The auth dialog's views. `notice` tells the user why a login is asked for, `problem` why the last attempt failed. */
export type AuthView =
  | { readonly view: 'login'; readonly notice?: string; readonly problem?: string }
  | { readonly view: 'register' }
  | { readonly view: 'forgotPassword' }
  /** `token` is from the link of the mail. */
  | { readonly view: 'resetPassword'; readonly token: string }

/** A dialog over the screen. src/app/dialog-stack.tsx draws each kind. */
export type OpenDialog =
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
  /** The alerts of a pair beside its thresholds. */
  | { readonly kind: 'rules'; readonly widget: WidgetId }
  | { readonly kind: 'policy'; readonly policy: 'terms' | 'privacy' }
  | { readonly kind: 'threshold'; readonly widget: WidgetId; readonly side: AlertSide }
  | { readonly kind: 'upgrade' }

type DialogKind = OpenDialog['kind']

/** The open dialogs, the uppermost last; of each kind at most one. Written by the atoms below only. */
export const openDialogsAtom = atom<readonly OpenDialog[]>([])

export const findDialog = <K extends DialogKind>(dialogs: readonly OpenDialog[], kind: K) =>
  dialogs.find((dialog): dialog is Extract<OpenDialog, { readonly kind: K }> => dialog.kind === kind)

/** Opens a dialog on top of the others; an open one of its kind is replaced where it stands. */
export const openDialogAtom = atom(null, (get, set, dialog: OpenDialog) => {
  const dialogs = get(openDialogsAtom)
  const isOpen = findDialog(dialogs, dialog.kind) !== undefined
  set(openDialogsAtom, isOpen ? dialogs.map((one) => (one.kind === dialog.kind ? dialog : one)) : [...dialogs, dialog])
})

export const closeDialogAtom = atom(null, (_get, set, kind: DialogKind) =>
  set(openDialogsAtom, (dialogs) =>
    findDialog(dialogs, kind) === undefined ? dialogs : dialogs.filter((one) => one.kind !== kind),
  ),
)

/** Closes the dialogs of the former user of this browser. The login dialog of a guest stays open. */
export const closeOwnersDialogsAtom = atom(null, (_get, set, isGuest: boolean) =>
  set(openDialogsAtom, (dialogs) => dialogs.filter((dialog) => outlivesOwner(dialog, isGuest))),
)

function outlivesOwner(dialog: OpenDialog, isGuest: boolean): boolean {
  switch (dialog.kind) {
    case 'add-pair':
    case 'changes':
    case 'checkpoints':
    case 'feedback':
    case 'log-out':
    case 'rules':
    case 'threshold':
    case 'upgrade':
      return false
    case 'confirm-identity':
    case 'home-screen':
    case 'policy':
      return true
    // A mail's link can be followed once, even if another user signs in meanwhile.
    case 'auth':
      return isGuest || dialog.view === 'resetPassword'
  }
}
