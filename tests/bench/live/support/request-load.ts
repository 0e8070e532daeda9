import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { bundledProgram } from '../../../server/support/program-files'
import type { LoadOrder, LoadReport } from '../programs/request-load'
import type { InspectedProcess } from './inspected-process'

/** Headers that a browser sends with every request, as far as they cost the server something. */
export const BROWSER_HEADERS = {
  accept: '*/*',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
} as const

export interface MeasuredLoad extends LoadReport {
  /** Milliseconds of the server's processor time for a request, its database's where that is in the process. */
  readonly cpu: number
}

/** Loads a server from a process beside it. */
export async function load(server: InspectedProcess, order: LoadOrder): Promise<MeasuredLoad> {
  const before = await server.use()
  const report = await runProgramOn<LoadReport>('tests/bench/live/programs/request-load.ts', order)
  const after = await server.use()
  return { ...report, cpu: (after.cpu - before.cpu) / report.requests }
}

/** Playwright sets FORCE_COLOR for its workers, of which Node warns where NO_COLOR is set as well. */
const { FORCE_COLOR: _, ...plain } = process.env

/** Runs a program to its end that reads its order from stdin and prints its report. */
async function runProgramOn<Report>(program: string, order: object): Promise<Report> {
  const child = spawn(process.execPath, [bundledProgram(program)], { stdio: ['pipe', 'pipe', 'inherit'], env: plain })
  child.stdin.end(JSON.stringify(order))
  const printed = await text(child.stdout)
  if (printed === '') throw new Error(`${program} reported nothing.`)
  return JSON.parse(printed) as Report
}
