import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { countStart } from '../../support/starts.mjs'

/** A program that a test started and will end. */
export interface Child {
  readonly process: ChildProcess
  /** All that the process has printed. */
  output(): string
  /** Sends a signal and waits for the end; the exit code, null after a signal that it did not survive. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

export function startChild(args: readonly string[], env: Readonly<Record<string, string>>, cwd: string): Child {
  countStart('server')
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  return {
    process: child,
    output: () => printed,
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) {
        const exit = once(child, 'exit')
        child.kill(signal)
        await exit
      }
      return child.exitCode
    },
  }
}

/** Asks until the answer is 200; when the program ends before, or `limit` milliseconds have passed, ends it and fails. */
export async function untilReady(child: Child, url: string, limit = 60_000): Promise<void> {
  const deadline = performance.now() + limit
  for (;;) {
    if (child.process.exitCode !== null || child.process.signalCode !== null) {
      throw new Error(`The program ended before it was ready:\n${child.output()}`)
    }
    const answer = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => null)
    if (answer?.status === 200) return
    if (performance.now() > deadline) {
      await child.end('SIGKILL')
      throw new Error(`Not ready within ${limit} ms:\n${child.output()}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
