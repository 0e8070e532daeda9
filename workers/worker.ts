import { expose } from 'comlink'
import { LocalDatabase } from '../src/db/database'
import type { WorkerApi, WorkerLife } from './api'
import { holdLifeLine } from './life-line'
import { workerApi } from './worker-api'

const held = holdLifeLine(self.name)

expose({ ...workerApi(new LocalDatabase()), holdsLock: () => held } satisfies WorkerApi & WorkerLife)
