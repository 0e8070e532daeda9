import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Env } from '../../../server/env'
import { bundledProgram, testProgramFiles } from './program-files'

/** Options that a worker is started with, as JSON. */
export interface WorkerSetup {
  readonly seed: number
  readonly length: number
  readonly database: Pick<Env, 'DATABASE_URL' | 'DATA_DIR'>
  readonly pgliteWorker: string
  readonly migrations: string
}

export interface AlertWorker {
  /** Has it store an update. @returns whether it said that it has; false: it died before */
  store(step: number): Promise<boolean>
  /** SIGKILL; resolves when it is dead. */
  kill(): Promise<void>
  /** Lines that the worker logged. */
  readonly output: () => string
}

/** Starts a process of tests/server/support/alert-worker.ts and waits until it has opened the database. */
export async function startAlertWorker(tape: Pick<WorkerSetup, 'seed' | 'length' | 'database'>): Promise<AlertWorker> {
  const { pgliteWorker, migrations } = testProgramFiles()
  const setup: WorkerSetup = { ...tape, pgliteWorker: pgliteWorker.href, migrations }
  program ??= bundledProgram('tests/server/support/alert-worker.ts')
  const child = fork(program, [JSON.stringify(setup)], { silent: true, serialization: 'json' })
  let written = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (written += String(chunk)))
  const gone = once(child, 'exit')
  const said = (what: unknown): Promise<boolean> =>
    new Promise((resolve) => {
      const hear = (message: unknown) => {
        if (message !== what) return
        child.off('message', hear)
        resolve(true)
      }
      child.on('message', hear)
      void gone.then(() => resolve(false))
    })
  if (!(await said('ready'))) throw new Error(`The worker did not start: ${written}`)
  return {
    output: () => written,
    store: async (step) => {
      const stored = said(step)
      // A worker that dies before it hears of the update answers nothing, which `stored` tells.
      child.send(step, () => undefined)
      return stored
    },
    kill: async () => {
      child.kill('SIGKILL')
      await gone
    },
  }
}

/** Bundled once in a test file: a worker is started many times. */
let program: string | null = null
