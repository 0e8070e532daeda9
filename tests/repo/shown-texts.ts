import { parseSync } from 'vite'

/** A piece of text in a source file. */
export interface ShownText {
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
export function shownTexts(path: string, source: string): readonly ShownText[] {
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
