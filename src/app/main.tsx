import '../ui/tokens.css'
import '../ui/fonts.css'
import '../ui/base.css'
import { createStore } from 'jotai'
import { createRoot } from 'react-dom/client'
import { App } from './app'
import { readFirstPaint } from './first-paint'
import { offerInstall, reloadOnceForMissingChunks, trustOwnScriptUrls } from './window-setup'
import { startServices } from './start-services'

trustOwnScriptUrls()
const store = createStore()
reloadOnceForMissingChunks()
offerInstall(store)
const services = startServices(store)

const draw = () =>
  createRoot(document.getElementById('root')!, { onUncaughtError: reportError, onCaughtError: reportError }).render(
    <App store={store} services={services} />,
  )
const { db, now } = services.commands
// Not awaited: an entry that awaits makes the bundler put everything it shares into chunks of their own.
readFirstPaint(store, db, now, 'welcomed' in document.documentElement.dataset).then(draw, reportError)
