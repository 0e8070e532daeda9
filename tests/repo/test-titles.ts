import { parseSync } from 'vite'

/** Members that each node of the syntax tree (ESTree) has. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const TEST_CALLS = new Set(['it', 'test', 'describe'])
/** Tests declared with such a name are not run. */
const NOT_RUN = new Set(['skip', 'todo', 'fixme'])

/**
 * The titles of a file's tests, each with those of the groups around it, outermost first: `['an empty board', 'opens …']`.
 * Groups have an entry of their own. A title that is a template stands as it is written, `%s` and `${…}` included.
 * @throws where the file cannot be parsed
 */
export function testTitles(path: string, source: string): readonly (readonly string[])[] {
  const { program, errors } = parseSync(path, source)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`)
  const all: string[][] = []
  const visit = (value: unknown, around: readonly string[]) => {
    if (Array.isArray(value)) return value.forEach((one) => visit(one, around))
    if (!isNode(value)) return
    const title = titleOf(value, source)
    if (title === 'not run') return
    const chain = title === null ? around : [...around, title.text]
    if (title !== null) all.push([...chain])
    for (const member of Object.values(value)) if (typeof member === 'object') visit(member, chain)
  }
  visit(program.body, [])
  return all
}

/** The title that a call gives a test or a group; null: it is no such call. */
function titleOf(node: Node, source: string): { readonly text: string } | 'not run' | null {
  if (node.type !== 'CallExpression') return null
  const names = calledNames(node.callee)
  const [first, ...others] = node.arguments as readonly Node[]
  if (!TEST_CALLS.has(names[0] ?? '') || first === undefined || others.length === 0) return null
  const text =
    first.type === 'Literal' && typeof first.value === 'string'
      ? first.value
      : first.type === 'TemplateLiteral'
        ? source.slice(first.start + 1, first.end - 1)
        : null
  if (text === null) return null
  return names.some((name) => NOT_RUN.has(name)) ? 'not run' : { text }
}

/** `test.describe.each(rows)` has the names test, describe and each. */
function calledNames(callee: unknown): readonly string[] {
  if (!isNode(callee)) return []
  switch (callee.type) {
    case 'Identifier':
      return [callee.name as string]
    case 'MemberExpression':
      return [...calledNames(callee.object), ...calledNames(callee.property)]
    case 'CallExpression':
      return calledNames(callee.callee)
    case 'TaggedTemplateExpression':
      return calledNames(callee.tag)
    default:
      return []
  }
}
