/* The arguments of the programs that an operator runs for backups. */

interface BackupArguments {
  readonly file: string
  readonly withSecrets: boolean
}

/** @throws Error with the usage for any other arguments */
export function backupArguments(args: readonly string[]): BackupArguments {
  const options = args.filter((arg) => arg.startsWith('--'))
  const [file, ...rest] = args.filter((arg) => !options.includes(arg))
  if (file === undefined || rest.length > 0 || options.some((option) => option !== '--with-secrets'))
    throw new Error('Usage: npm run backup -- [--with-secrets] <file>')
  return { file, withSecrets: options.length > 0 }
}

/**
 * @returns the file
 * @throws Error with the usage for any other arguments
 */
export function restoreArguments([file, ...rest]: readonly string[]): string {
  if (file === undefined || file.startsWith('--') || rest.length > 0)
    throw new Error('Usage: npm run restore -- <file>')
  return file
}
