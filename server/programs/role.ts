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
