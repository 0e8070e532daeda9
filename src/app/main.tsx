import '../ui/tokens.css'
import '../ui/fonts.css'
import '../ui/base.css'
import { createStore, Provider } from 'jotai'
import { startTransition, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { ServicesContext } from '../state/services'
import { reportMissingChunkAtom } from '../state/toasts'
import { BeforeLate, CloseMissing } from '../ui/late-component'
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
const begun = Date.now()
let whenPainted = (): void => undefined
const painted = new Promise<void>((resolve) => {
  whenPainted = resolve
})
const { guest, ...services } = startServices({ store, begun, painted })

/** Runs `whenPainted` in a task behind the first paint. */
function Painted() {
  useEffect(() => {
    setTimeout(whenPainted)
  }, [])
  return null
}

// A transition: React renders in slices, and a press in between is answered.
const draw = () =>
  startTransition(() =>
    createRoot(document.getElementById('root')!, { onUncaughtError: reportError, onCaughtError: reportError }).render(
      <ErrorBoundary within="nothing">
        <Provider store={store}>
          <ServicesContext value={services}>
            <BeforeLate value={services.open}>
              <CloseMissing value={(close) => store.set(reportMissingChunkAtom, close)}>
                <DatabaseGate>
                  <Screens />
                </DatabaseGate>
              </CloseMissing>
            </BeforeLate>
          </ServicesContext>
        </Provider>
        <Painted />
      </ErrorBoundary>,
    ),
  )
const isWelcomed = 'welcomed' in document.documentElement.dataset
// Not awaited: an entry that awaits makes the bundler put everything it shares into chunks of their own.
readFirstPaint(store, { now: Date.now, guest, isWelcomed }).then(draw, reportError)
