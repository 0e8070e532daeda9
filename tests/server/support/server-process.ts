import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { countStart } from '../../support/starts.mjs'
import { bundledServer, type Program } from './program-files'

export interface ServerProcess {
  /** Such as http://localhost:41233. */
  readonly url: string
  /** Output of the process on stdout and stderr so far. */
  readonly output: () => string
  /** Resolves when the process ends, whatever the cause: the exit code, null after a signal. */
  readonly ended: Promise<number | null>
  /** Sends the signal, unless it has ended already, and waits for the end. */
  end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<{ readonly code: number | null }>
}

export interface Ended {
  readonly code: number | null
  readonly output: string
}

/**
 * Node's flag for processes that open the embedded database: its WebAssembly is compiled once and not again for speed, which
 * takes half of the processor time of a start and pays only in a process that lives longer than a test.
 */
export const COMPILE_ONCE = '--liftoff-only'

type Variables = Readonly<Record<string, string>>

/** Environment of a server under test: simulated prices, any free port, nothing of this process's own settings. */
const base = (variables: Variables): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  PORT: '0',
  MARKET_DATA: 'simulated',
  RATE_LIMIT_FACTOR: '1000000',
  LOG_LEVEL: 'warn',
  ...variables,
})

function start(
  variables: Variables,
  args: readonly string[],
  program?: string,
): { child: ChildProcess; output: () => string } {
  countStart('server')
  const file = program === undefined ? [COMPILE_ONCE, bundledServer()] : [program]
  const child = spawn(process.execPath, [...file, ...args], { env: base(variables) })
  let written = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (written += String(chunk)))
  return { child, output: () => written }
}

/**
 * Starts the built server and waits until it says where it is, or that it runs jobs alone.
 * @param program another build's, which runs as it does for users; the build of the tests lives shortly, and compiles once
 */
export async function startServer(
  variables: Variables,
  args: readonly string[] = [],
  program?: string,
): Promise<ServerProcess> {
  const { child, output } = start(variables, args, program)
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const ready = /Ready(?: at (\S+)|: running jobs\.)\n/.exec(output())
      if (ready !== null) resolve(ready[1] ?? '')
    })
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}: ${output()}`)))
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const end = async (signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL') => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    }
    return { code: child.exitCode }
  }
  return { url, output, ended, end }
}

/** Runs a server that is expected to refuse to start. */
export async function runToEnd(variables: Variables, args: readonly string[] = []): Promise<Ended> {
  const { child, output } = start(variables, args)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output: output() }
}

/** Runs one of the operator's programs to its end. */
export async function runProgram(name: Program, variables: Variables, args: readonly string[]): Promise<Ended> {
  const { child, output } = start(variables, args, bundledServer(name))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output: output() }
}
