/** A piece of a policy's plain text. */
export type PolicyBlock =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }

const HEADING = /^\d+\. \S[^\n]*$/

const ITEM = /^- /

/**
 * Reads a policy's text: paragraphs stand between empty lines, numbered lines of their own are headings, and lines that
 * begin with a dash are a list. The first line is the policy's name and left out: the dialog's title says the name.
 */
export function policyBlocks(text: string): PolicyBlock[] {
  const [first = '', ...rest] = text.split('\n')
  const body = /^\s*(#|\d)/.test(first) ? text : rest.join('\n')
  return body
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .flatMap(blocksOf)
}

function blocksOf(part: string): PolicyBlock[] {
  if (HEADING.test(part)) return [{ kind: 'heading', text: part }]
  const lines = part.split('\n')
  const items = lines.filter((line) => ITEM.test(line))
  if (items.length === 0) return [{ kind: 'paragraph', text: part }]
  // The text before the first dash introduces the list.
  const lead = lines.slice(0, lines.indexOf(items[0]!)).join('\n')
  const list = { kind: 'list', items: items.map((item) => item.slice(2)) } as const
  return lead === '' ? [list] : [{ kind: 'paragraph', text: lead }, list]
}
