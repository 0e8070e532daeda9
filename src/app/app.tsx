import { Provider, useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { type Services, ServicesContext, type Store } from '../state/services'
import { databaseTroubleAtom } from './database-trouble'
import { ErrorBoundary, FullPageNotice } from './error-boundary'
import { Screens } from './screens'

interface AppProps {
  readonly store: Store
  readonly services: Services
}

export function App({ store, services }: AppProps) {
  return (
    <ErrorBoundary within="nothing">
      <Provider store={store}>
        <ServicesContext value={services}>
          <DatabaseGate>
            <Screens />
          </DatabaseGate>
        </ServicesContext>
      </Provider>
    </ErrorBoundary>
  )
}

/** Shows the app while its database can be used, and what is the matter when it cannot. */
export function DatabaseGate({ children }: { readonly children: ReactNode }) {
  const trouble = useAtomValue(databaseTroubleAtom)
  switch (trouble?.kind) {
    case undefined:
      return children
    case 'unusable':
      return (
        <FullPageNotice
          title="This browser does not let the app store anything"
          detail={trouble.reason}
          action="Try again"
        >
          Your pairs and prices are kept in the browser’s own database, and it could not be opened. A private window,
          blocked site data or a full disk are the usual causes.
        </FullPageNotice>
      )
    case 'superseded':
      return (
        <FullPageNotice title="The app was updated in another tab">
          Reload this tab to go on with the new version. Everything you did is kept.
        </FullPageNotice>
      )
    case 'closed':
      return (
        <FullPageNotice title="The browser closed the app’s database">
          That happens when the site’s data is cleared. Reload to start again with what is left.
        </FullPageNotice>
      )
    case 'blocked':
      return (
        <FullPageNotice title="Another tab still runs the old version" action="Try again">
          Close the other tabs of this app, or reload them; then this one goes on.
        </FullPageNotice>
      )
  }
}
