import { readFileSync } from 'node:fs'

const CAUSES: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not read it',
  EISDIR: 'it is a folder',
  ENOTDIR: 'its folder is a file',
}

/**
 * Puts the content of the file that `NAME_FILE` names in the place of `NAME`, without the end of its last line: so container
 * engines and systemd hand secrets over, which then stand in no environment.
 * @param names variables that hold secrets
 * @param wrong gets a line for each file that cannot be used
 */
export function withSecretFiles(
  given: Readonly<Record<string, string>>,
  names: readonly string[],
  wrong: string[],
): Readonly<Record<string, string>> {
  const read = names.flatMap((name) => {
    const variable = `${name}_FILE`
    const path = given[variable]
    if (path === undefined) return []
    if (given[name] !== undefined) {
      wrong.push(`${variable}: ${name} is set as well: set one of the two`)
      return []
    }
    const text = textOf(path, (cause) =>
      wrong.push(`${variable}: ${path} cannot be used, ${cause}: name a file that this user can read, or set ${name}`),
    )
    return text === null ? [] : [[name, text] as const]
  })
  return { ...given, ...Object.fromEntries(read) }
}

function textOf(path: string, refuse: (cause: string) => void): string | null {
  try {
    const text = readFileSync(path, 'utf8').replace(/[\r\n]+$/, '')
    if (text !== '') return text
    refuse('it is empty')
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    refuse(CAUSES[code] ?? message)
  }
  return null
}
