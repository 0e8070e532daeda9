import { resolve, sep } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { messageOf } from '../../src/domain/error-message'

const ROLES = ['web', 'worker', 'all'] as const
/** The work of a process: answer requests, run periodic jobs, or both. Several may share one PostgreSQL. */
export type Role = (typeof ROLES)[number]

/**
 * The role from the command line: `--role web` or `--role=web`; all without one.
 * @throws Error naming what is wrong
 */
export function roleFrom(args: readonly string[]): Role {
  const [flag, value, ...rest] = args.flatMap((arg) => arg.split('='))
  if (flag === undefined) return 'all'
  const role = ROLES.find((role) => role === value)
  if (flag !== '--role' || role === undefined || rest.length > 0) {
    throw new Error(`Unknown arguments: ${args.join(' ')}. The only one is --role ${ROLES.join('|')}.`)
  }
  return role
}

/** @throws Error with the usage for any other arguments */
export function backupArguments(args: readonly string[]) {
  const options = args.filter((arg) => arg.startsWith('--'))
  const [file, ...rest] = args.filter((arg) => !options.includes(arg))
  const isKnown = (option: string) => option === '--with-secrets' || option === '--allow-empty'
  if (file === undefined || rest.length > 0 || !options.every(isKnown))
    throw new Error('Usage: npm run backup -- [--with-secrets] [--allow-empty] <file>')
  return { file, withSecrets: options.includes('--with-secrets'), allowEmpty: options.includes('--allow-empty') }
}

/** @throws Error with the usage for any other arguments */
export function restoreArguments(args: readonly string[]) {
  const options = args.filter((arg) => arg.startsWith('--'))
  const [file, ...rest] = args.filter((arg) => !options.includes(arg))
  if (file === undefined || rest.length > 0 || options.some((option) => option !== '--with-secrets'))
    throw new Error('Usage: npm run restore -- [--with-secrets] <file>')
  return { file, withSecrets: options.length > 0 }
}

/** npm runs programs in the project's folder; a file is meant from where the user stands. */
export const fromUser = (file: string): string => resolve(process.env['INIT_CWD'] ?? process.cwd(), file)

const CAUSES: Readonly<Record<string, string>> = {
  EACCES: 'this user may not use it',
  EPERM: 'this user may not use it',
  ENOTDIR: 'it is no folder',
  EEXIST: 'it is no folder',
  EROFS: 'its file system is read-only',
  ENOSPC: 'the disk is full',
}

/** The sentence of an error for an operator: of the system's bare errors about DATA_DIR the cause and the way out. */
export function operatorSentence(error: unknown, dataDir = process.env['DATA_DIR']): string {
  const folder = resolve(dataDir === undefined || dataDir === '' ? '.data' : dataDir)
  const { code = '', path } = error as NodeJS.ErrnoException
  const cause = CAUSES[code]
  if (
    path === undefined ||
    cause === undefined ||
    (!`${folder}${sep}`.startsWith(path) && !path.startsWith(`${folder}${sep}`))
  )
    return messageOf(error)
  return `DATA_DIR: ${path} cannot be used, ${cause}. Let the user who runs this program own ${folder} and what is in it, or name another folder.`
}

/**
 * Runs a program of an operator, who is told the sentence of an error and not the stack.
 * @param run resolves with false where the program did not do what it was told
 */
export async function runCommandLine(run: (args: readonly string[]) => Promise<boolean>): Promise<void> {
  // The embedded database's WebAssembly runs once through: compiling it again for speed would cost time and memory.
  setFlagsFromString('--liftoff-only')
  try {
    process.exitCode = (await run(process.argv.slice(2))) ? 0 : 1
  } catch (error) {
    process.stderr.write(`${operatorSentence(error)}\n`)
    process.exitCode = 1
  }
}
