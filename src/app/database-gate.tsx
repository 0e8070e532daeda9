import { atom, useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { FailurePage } from './error-boundary'

/** Why the local database cannot be used, and with it the app. */
type DatabaseTrouble =
  /** It could not be opened: private mode, blocked storage, a full or broken disk. */
  | { readonly kind: 'unusable'; readonly reason: string }
  /** Another tab runs a newer version of the app and has changed the database. */
  | { readonly kind: 'superseded' }
  /** The browser closed the database, such as when the site's data was cleared. */
  | { readonly kind: 'closed' }
  /** This tab is the newer one and waits for the others. */
  | { readonly kind: 'blocked' }

export const databaseTroubleAtom = atom<DatabaseTrouble | null>(null)

/** Shows the app while its database can be used, and otherwise the reason why not. */
export function DatabaseGate({ children }: { readonly children: ReactNode }) {
  const trouble = useAtomValue(databaseTroubleAtom)
  switch (trouble?.kind) {
    case undefined:
      return children
    case 'unusable':
      return (
        <FailurePage
          title="This browser does not let the app store anything"
          detail={trouble.reason}
          action="Try again"
        >
          Your pairs and prices are kept in the browser’s own database, and it could not be opened. A private window,
          blocked site data or a full disk are the usual causes.
        </FailurePage>
      )
    case 'superseded':
      return (
        <FailurePage title="The app was updated in another tab">
          Reload this tab to go on with the new version. Everything you did is kept.
        </FailurePage>
      )
    case 'closed':
      return (
        <FailurePage title="The browser closed the app’s database">
          That happens when the site’s data is cleared. Reload to start again with what is left.
        </FailurePage>
      )
    case 'blocked':
      return (
        <FailurePage title="Another tab still runs the old version" action="Try again">
          Close the other tabs of this app, or reload them; then this one goes on.
        </FailurePage>
      )
  }
}
