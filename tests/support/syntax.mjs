import { parseSync } from 'vite'

/** Lines beyond which a function counts as long. */
const LONG = 60

/** @typedef {{ type: string, start: number, end: number }} SyntaxNode */

/** @param {unknown} value @returns {value is SyntaxNode} */
const isNode = (value) => typeof value === 'object' && value !== null && 'type' in value && 'start' in value

/** @param {string} text @param {SyntaxNode} node */
const linesOf = (text, { start, end }) => text.slice(start, end).split('\n').length

/**
 * The syntax tree of a file gives the first lines of its functions that are longer than sixty lines, and how many lines its
 * imports take.
 *
 * @param {string} path
 * @param {string} text
 * @returns {{ longFunctions: number[], importLines: number }}
 */
export function syntaxOf(path, text) {
  const { program, errors } = parseSync(path, text)
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`)
  /** @type {number[]} */
  const longFunctions = []
  let importLines = 0
  /** @param {unknown} value */
  const visit = (value) => {
    if (Array.isArray(value)) for (const element of value) visit(element)
    if (!isNode(value)) return
    if (value.type === 'ImportDeclaration') importLines += linesOf(text, value)
    if (/Function/.test(value.type) && linesOf(text, value) > LONG)
      longFunctions.push(text.slice(0, value.start).split('\n').length)
    for (const child of Object.values(value)) visit(child)
  }
  visit(program)
  return { longFunctions, importLines }
}
