import '../ui/tokens.css'
import '../ui/fonts.css'
import '../ui/base.css'
import { createStore } from 'jotai'
import { createRoot } from 'react-dom/client'
import { App } from './app'
import { reloadOnceForMissingChunks } from './missing-chunks'
import { offerInstall } from './offer-install'
import { startServices } from './start-services'

const store = createStore()
reloadOnceForMissingChunks()
offerInstall(store)
const services = startServices(store)

createRoot(document.getElementById('root')!, { onUncaughtError: reportError, onCaughtError: reportError }).render(
  <App store={store} services={services} />,
)
