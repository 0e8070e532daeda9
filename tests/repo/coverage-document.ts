/** One thing that a specification asks for, with the tests that hold it, as docs/spec-coverage.md lists them. */
export interface Item {
  /** Such as `The dashboard document › 2. Screens and routes`. */
  readonly section: string
  /** In one line. */
  readonly text: string
  /** Paths below `tests` with the titles of a test or a group: `domain/pair.test.ts › a label is upper case`. */
  readonly tests: readonly string[]
  /** Reason for which the product departs from a statement. */
  readonly notes: readonly string[]
}

const TEST = /^`([^`]+)`$/
const NOTE = /^(Departure|No test): /

/**
 * Reads the document: `##` is a document, `###` one of its sections, `####` a heading for the eye; `- ` is an item, and what
 * hangs below it are its tests and notes. Before the first document anything may stand.
 * @throws where a line is none of these
 */
export function readCoverage(markdown: string): {
  readonly sections: readonly string[]
  readonly items: readonly Item[]
} {
  const sections: string[] = []
  const items: { section: string; text: string; tests: string[]; notes: string[] }[] = []
  let document = ''
  for (const entry of entries(markdown)) {
    if (entry.startsWith('## ')) document = entry.slice(3)
    else if (document === '') continue
    else if (entry.startsWith('### ')) sections.push(`${document} › ${entry.slice(4)}`)
    else if (entry.startsWith('#### ')) continue
    else if (entry.startsWith('- '))
      items.push({ section: sections.at(-1) ?? '', text: entry.slice(2), tests: [], notes: [] })
    else {
      const below = entry.trimStart().replace(/^- /, '')
      const test = TEST.exec(below)
      if (test !== null) items.at(-1)?.tests.push(test[1]!)
      else if (NOTE.test(below)) items.at(-1)?.notes.push(below)
      else throw new Error(`Neither a test nor a note: ${entry}`)
    }
  }
  return { sections, items }
}

/** Lines, with those that only go on put at the end of the one before. */
function entries(markdown: string): readonly string[] {
  const all: string[] = []
  for (const line of markdown.split('\n')) {
    if (line.trim() === '') continue
    if (/^(#+ |\s*- )/.test(line) || all.length === 0) all.push(line)
    else all.push(`${all.pop()!} ${line.trim()}`)
  }
  return all
}

/** Pieces of a product’s text in quotation marks: the pieces around the variable part (`…`), each as it is written. */
export const quotedPieces = (text: string): readonly string[] =>
  [...text.matchAll(/"([^"]+)"/g)].flatMap(([, quoted]) => quoted!.split('…')).filter((piece) => piece.trim() !== '')
