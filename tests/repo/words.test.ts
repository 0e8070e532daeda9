import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from './scratch-copy'
import { parseSync } from 'vite'

/** A piece of text in a source file. */
interface ShownText {
  readonly path: string
  readonly line: number
  /** White space collapsed. */
  readonly text: string
}

interface Node {
  readonly type?: string
  readonly start?: number
  readonly value?: unknown
}

/**
 * Texts of a source file that a person may read: string literals, pieces of templates and text between tags, as far as
 * they hold two words or begin with a capital. Names of modules and keys are none.
 */
function shownTexts(path: string, source: string): readonly ShownText[] {
  const found: ShownText[] = []
  const keep = (node: Node, value: string): void => {
    const text = value.replace(/\s+/g, ' ').trim()
    if (!/\S \S|^[A-Z]/.test(text)) return
    found.push({ path, line: source.slice(0, node.start).split('\n').length, text })
  }
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(walk)
    if (typeof node !== 'object' || node === null) return
    const { type, value } = node as Node
    if (type === 'ImportDeclaration' || type === 'ImportExpression') return
    if (type === 'Literal' && typeof value === 'string') keep(node, value)
    if (type === 'JSXText' && typeof value === 'string') keep(node, value)
    if (type === 'TemplateElement') keep(node, (value as { readonly cooked: string | null }).cooked ?? '')
    Object.values(node).forEach(walk)
  }
  walk(parseSync(path, source).program)
  return found
}

const { stdout } = spawnSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', 'src', 'server', 'sw', 'workers'],
  { cwd: projectRoot, encoding: 'utf8' },
)
const texts = stdout
  .split('\n')
  .filter((path) => /\.tsx?$/.test(path) && !path.startsWith('server/db/'))
  .flatMap((path) => shownTexts(path, readFileSync(join(projectRoot, path), 'utf8')))
const where = (pattern: RegExp, allowed: readonly string[] = []) =>
  texts
    .filter(({ text }) => pattern.test(allowed.reduce((rest, one) => rest.replace(one, ''), text)))
    .map(({ path, line, text }) => `${path}:${line}: ${text}`)

/** Texts of the specification, which stay to the letter. */
const SPECIFIED = ['Please try signing in again.', 'Failed to sign in with Google.']
/** For the log of the server process alone. */
const LOGGED = [
  'sign-in with Google refused',
  'sign-in with Google not possible',
  'sign-in with Google is not to be had',
]

it('the texts of the program are found, in tags, strings and templates', () => {
  const source = 'const a = <p title="One hint">Two words {`${n} three words`}</p>\nimport b from "not a text"'
  expect(shownTexts('a.tsx', source).map(({ line, text }) => [line, text])).toEqual([
    [1, 'One hint'],
    [1, 'Two words'],
    [1, 'three words'],
  ])
  expect(texts.length).toBeGreaterThan(1_000)
})

it('an address is called email, never e-mail', () => {
  expect(where(/\be-mail/i)).toEqual([])
})

it('people log in, log out and register; they sign in, sign out and sign up nowhere but in texts of the specification', () => {
  const signs = /\bsign(s|ed|ing)?[ -](you |me |them )?(in|out|up)\b/i
  expect(where(signs, [...SPECIFIED, ...LOGGED])).toEqual([])
})

it('"log in" and "log out" are verbs: nobody is asked to login or logout', () => {
  expect(
    where(/\b(to|can|please|then|and|or) (login|logout)\b(?! page)/i, ['Back to login', 'Proceed to Login']),
  ).toEqual([])
})
