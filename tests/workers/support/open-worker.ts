import { MessageChannel } from 'node:worker_threads'
import { expose, type Remote, wrap } from 'comlink'
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs'
import { afterEach, beforeEach } from 'vitest'
import { LocalDatabase } from '../../../src/db/database'
import type { WorkerApi } from '../../../workers/api'
import { workerApi } from '../../../workers/worker-api'

interface OpenWorker {
  readonly db: LocalDatabase
  /** The worker's calls over a real channel: what crosses it is cloned or moved. */
  readonly api: Remote<WorkerApi>
  readonly close: () => Promise<void>
}

/** A worker for each test of a file. */
export function withWorker(): OpenWorker {
  const worker = {} as OpenWorker
  beforeEach(() => void Object.assign(worker, openWorker()))
  afterEach(() => worker.close())
  return worker
}

/** A database of its own, and the worker's calls on it. */
function openWorker(): OpenWorker {
  const db = new LocalDatabase(`worker-${Math.random()}`)
  const { port1, port2 } = new MessageChannel()
  expose(workerApi(db), nodeEndpoint(port1))
  return {
    db,
    api: wrap<WorkerApi>(nodeEndpoint(port2)),
    async close() {
      port1.close()
      port2.close()
      await db.delete()
    },
  }
}
