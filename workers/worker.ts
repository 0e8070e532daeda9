import { expose } from 'comlink'
import { LocalDatabase } from '../src/db/database'
import { workerApi } from './worker-api'

expose(workerApi(new LocalDatabase()))
