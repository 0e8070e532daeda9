import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Env } from '../../../server/env'
import { bundledProgram, testProgramFiles } from './program-files'

/** Options that a worker is started with, as JSON. */
export interface WorkerSetup {
  readonly seed: number
  /** Updates of the tape, and widgets. */
  readonly length: number
  readonly widgets: number
  readonly database: Pick<Env, 'DATABASE_URL' | 'DATA_DIR'>
  readonly pgliteWorker: string
  readonly migrations: string
  readonly pushHost: string
  /** Of the receivers. */
  readonly variables: Readonly<Record<string, string>>
}

/** A worker's word that it has done all of an update, with the ids of the rules that it has made, by the keys of their creates. */
export interface AlertDone {
  readonly step: number | 'ready'
  readonly made: readonly (readonly [op: string, rule: string])[]
}

export interface AlertWorker {
  /** Has it do an update. @returns what it said of it; null: it died before */
  store(step: number): Promise<AlertDone | null>
  /** SIGKILL; resolves when it is dead. */
  kill(): Promise<void>
  /** Lines that the worker logged. */
  readonly output: () => string
}

/** Starts a process of tests/server/support/alert-worker.ts and waits until it has opened the database. */
export async function startAlertWorker(tape: Omit<WorkerSetup, 'pgliteWorker' | 'migrations'>): Promise<AlertWorker> {
  const { pgliteWorker, migrations } = testProgramFiles()
  const setup: WorkerSetup = { ...tape, pgliteWorker: pgliteWorker.href, migrations }
  program ??= bundledProgram('tests/server/support/alert-worker.ts')
  const child = fork(program, [JSON.stringify(setup)], { silent: true, serialization: 'json' })
  let written = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (written += String(chunk)))
  const gone = once(child, 'exit')
  const said = (step: AlertDone['step']): Promise<AlertDone | null> =>
    new Promise((resolve) => {
      const hear = (message: AlertDone) => {
        if (message.step !== step) return
        child.off('message', hear)
        resolve(message)
      }
      child.on('message', hear)
      void gone.then(() => resolve(null))
    })
  if ((await said('ready')) === null) throw new Error(`The worker did not start: ${written}`)
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
