import '../ui/tokens.css'
import '../ui/fonts.css'
import '../ui/base.css'
import { createStore, Provider } from 'jotai'
import { createRoot } from 'react-dom/client'
import { ServicesContext } from '../state/services'
import { DatabaseGate } from './database-gate'
import { ErrorBoundary } from './error-boundary'
import { readFirstPaint } from './first-paint'
import { Screens } from './screens'
import { startServices } from './start-services'
import { offerInstall } from './install-offer'
import { reloadOnceForMissingChunks } from './missing-chunks'
import { trustOwnScriptUrls } from './trusted-types'

trustOwnScriptUrls()
const store = createStore()
reloadOnceForMissingChunks()
offerInstall(store)
const services = startServices(store)

const draw = () =>
  createRoot(document.getElementById('root')!, { onUncaughtError: reportError, onCaughtError: reportError }).render(
    <ErrorBoundary within="nothing">
      <Provider store={store}>
        <ServicesContext value={services}>
          <DatabaseGate>
            <Screens />
          </DatabaseGate>
        </ServicesContext>
      </Provider>
    </ErrorBoundary>,
  )
const { db, now } = services.commands
// Not awaited: an entry that awaits makes the bundler put everything it shares into chunks of their own.
readFirstPaint(store, db, now, 'welcomed' in document.documentElement.dataset).then(draw, reportError)
