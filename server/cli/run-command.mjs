import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Runs a program in the project's root with our own input and output, and passes SIGINT and SIGTERM on to it.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string | undefined> }} [options] variables beside our own
 * @returns {Promise<number>} its exit code; 128 + 15 when a signal ended it
 */
export const runProgram = (program, args, { env } = {}) =>
  exitCodeOf(spawn(program, args, { cwd: projectRoot, stdio: 'inherit', env: { ...process.env, ...env } }))

/**
 * As `runProgram`, but keeps what the program writes, so that programs side by side do not write between each other's lines.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @returns {Promise<{ code: number, output: string }>} both of its streams in the order in which they came
 */
export async function captureCommand(program, args) {
  const child = spawn(program, args, { cwd: projectRoot, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const code = await exitCodeOf(child)
  return { code, output }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>}
 */
function exitCodeOf(child) {
  return new Promise((resolve, reject) => {
    /** @param {NodeJS.Signals} signal */
    const pass = (signal) => void child.kill(signal)
    process.on('SIGINT', pass).on('SIGTERM', pass)
    child.once('error', reject)
    child.once('close', (code) => {
      process.off('SIGINT', pass).off('SIGTERM', pass)
      resolve(code ?? 143)
    })
  })
}

/**
 * As `runProgram`, for a step without which nothing can go on: exits with the program's code when that is not 0.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {Parameters<typeof runProgram>[2]} [options]
 */
export async function runOrExit(program, args, options) {
  const code = await runProgram(program, args, options)
  if (code === 0) return
  console.error(`"${[program, ...args].join(' ')}" failed with exit code ${code}.`)
  process.exit(code)
}
