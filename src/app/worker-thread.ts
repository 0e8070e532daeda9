import { type Remote, wrap } from 'comlink'
import type { WorkerApi, WorkerLife } from '../../workers/api'
import { uuid } from './randomness'

/** The worker ended or hangs; what it was asked has no answer. */
export class WorkerGone extends Error {
  override readonly name = 'WorkerGone'
}

export interface WorkerThread {
  /** Rejects with `WorkerGone` when the worker ends before it answers, or takes too long. */
  ask<T>(question: (api: Remote<WorkerApi>) => Promise<T>): Promise<T>
  /** Resolves with the reason when the worker has ended. */
  readonly gone: Promise<WorkerGone>
}

/** Milliseconds after which a worker that has not answered counts as hung: its longest answer takes a twentieth. */
const PATIENCE = 20_000

/**
 * Starts a web worker and watches over it. A browser says nothing of a worker that it kills; but the worker holds a Web
 * Lock of its own name, and whoever waits for that gets it at the worker's end, however that came.
 */
export function startThread(): WorkerThread {
  const name = `web-worker-${uuid()}`
  const worker = new Worker(new URL('../../workers/worker.ts', import.meta.url), { type: 'module', name })
  const remote = wrap<WorkerApi & WorkerLife>(worker)
  let end: (reason: WorkerGone) => void = () => undefined
  const gone = new Promise<WorkerGone>((resolve) => (end = resolve))
  const giveUp = (reason: string, cause?: unknown): void => {
    worker.terminate()
    end(new WorkerGone(`The web worker failed: ${reason}`, { cause }))
  }

  worker.addEventListener('error', ({ message, error }) => {
    giveUp(message || 'it could not be loaded', error)
  })
  const watch = async () => {
    if (!(await remote.holdsLock())) return
    await navigator.locks.request(name, () => giveUp('it was stopped'))
  }
  watch().catch((error: unknown) => giveUp(String(error), error))

  // Not one promise that all questions are raced against: it would keep every answer for as long as the worker lives.
  const waiting = new Set<(reason: WorkerGone) => void>()
  void gone.then((reason) => {
    for (const refuse of waiting) refuse(reason)
  })
  return {
    gone,
    async ask(question) {
      const { promise: refused, reject: refuse } = withReject()
      const timer = setTimeout(() => giveUp('it hangs'), PATIENCE)
      waiting.add(refuse)
      try {
        return await Promise.race([question(remote), refused])
      } finally {
        clearTimeout(timer)
        waiting.delete(refuse)
      }
    },
  }
}

function withReject(): { readonly promise: Promise<never>; readonly reject: (reason: WorkerGone) => void } {
  let reject: (reason: WorkerGone) => void = () => undefined
  const promise = new Promise<never>((_, no) => (reject = no))
  return { promise, reject }
}
