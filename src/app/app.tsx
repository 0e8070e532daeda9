import { Provider, type createStore } from 'jotai'
import { ServicesContext, type Services } from '../state/services'
import { DatabaseGate } from './database-gate'
import { ErrorBoundary } from './error-boundary'
import { Screens } from './screens'

interface AppProps {
  readonly store: ReturnType<typeof createStore>
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
