import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { projectRoot } from '../../../../server/cli/run-command.mjs'

/** Use of a process so far. */
interface ProcessUse {
  /** Milliseconds of processor time of all its threads. */
  readonly cpu: number
  /** Bytes: of the process in memory, and of its main thread's JavaScript objects. */
  readonly rss: number
  readonly heap: number
}

/** A Node process that is asked about itself through its inspector, which needs no route and no work of the program. */
export interface InspectedProcess {
  readonly pid: number
  /** Output of the process on stdout and stderr. */
  output(): string
  use(): Promise<ProcessUse>
  /** Collects the main thread's garbage, twice: what has a finalizer goes with the second. */
  collectGarbage(): Promise<void>
  /** Sends a signal, unless the process has ended, and waits for its end. @returns the exit code; null after a signal */
  end(signal?: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

/** All that have been started, so that a measurement that fails leaves none behind. */
const started: ChildProcess[] = []

/** Has `endAll` end it as well. */
export const endWithOthers = (child: ChildProcess): void => void started.push(child)

/** Ends what a measurement has left running. */
export const endAll = async (): Promise<void> => {
  await Promise.all(started.splice(0).map((child) => endChild(child, 'SIGKILL')))
}

const USE = `(() => {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  return JSON.stringify({ cpu: (user + system) / 1000, rss, heap: heapUsed })
})()`

/** Starts `node ARGS…` and resolves when it has printed `ready`, with what that matched. */
export async function startInspected(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  ready: RegExp,
): Promise<{ readonly process: InspectedProcess; readonly found: RegExpExecArray }> {
  const child = spawn(process.execPath, ['--inspect=127.0.0.1:0', ...args], {
    cwd: projectRoot,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  endWithOthers(child)
  let printed = ''
  const said = (words: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const found = words.exec(printed)
        if (found !== null) resolve(found)
      }
      for (const stream of [child.stdout, child.stderr]) stream.on('data', look)
      child.once('exit', (code) => reject(new Error(`The program ended with ${code}:\n${printed}`)))
    })
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const [listening, found] = await Promise.all([said(/Debugger listening on (ws:\S+)/), said(ready)])
  const { ask, disconnect } = await inspector(listening[1] ?? '')
  const asked: InspectedProcess = {
    pid: child.pid ?? 0,
    output: () => printed,
    async use() {
      const { result } = (await ask('Runtime.evaluate', { expression: USE })) as { result: { value: string } }
      return JSON.parse(result.value) as ProcessUse
    },
    async collectGarbage() {
      for (let time = 0; time < 2; time += 1) await ask('HeapProfiler.collectGarbage')
    },
    end(signal = 'SIGTERM') {
      // A process that ends waits for those who inspect it.
      disconnect()
      return endChild(child, signal)
    },
  }
  return { process: asked, found }
}

async function endChild(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit')
    child.kill(signal)
    await exit
  }
  return child.exitCode
}

/** Sends commands of the DevTools protocol. */
async function inspector(url: string) {
  const socket = new WebSocket(url)
  await once(socket, 'open')
  // A process that ends takes its inspector with it.
  socket.on('error', () => undefined)
  let last = 0
  const waiting = new Map<number, (result: unknown) => void>()
  socket.on('message', (data: Buffer) => {
    const { id, result } = JSON.parse(data.toString()) as { id?: number; result?: unknown }
    if (id === undefined) return
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  const ask = (method: string, params: object = {}) =>
    new Promise<unknown>((resolve) => {
      last += 1
      waiting.set(last, resolve)
      socket.send(JSON.stringify({ id: last, method, params }))
    })
  return { ask, disconnect: () => socket.terminate() }
}
