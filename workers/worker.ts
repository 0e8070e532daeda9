import { expose } from 'comlink'
import { LocalDatabase } from '../src/db/database'
import { requestListener } from './requests'
import { workerApi } from './worker-api'

const db = new LocalDatabase()
expose(workerApi(db))
self.addEventListener(
  'message',
  requestListener(async () => (await import('./engine')).createHost(db)),
)
