/** Lines that say something: how many of them in a row make a repetition. */
const LINES = 6

/** @typedef {{ file: string, line: number, copyOf: string }} Repeated a line of a repetition, counted from 1, and a place that has it too */

/**
 * Lines that repeat an earlier place: runs of eight or more equal lines, of which the first place is free. Blank lines,
 * imports, comments and lines of brackets alone do not count, nor does indentation.
 *
 * @param {ReadonlyMap<string, string>} texts by file
 * @returns {Repeated[]}
 */
export function repeatedLines(texts) {
  /** @type {Map<string, string>} */
  const places = new Map()
  return [...texts].flatMap(([file, text]) => {
    const lines = tellingLines(text)
    /** @type {Map<number, Repeated>} */
    const repeated = new Map()
    for (let start = 0; start + LINES <= lines.length; start += 1) {
      const run = lines.slice(start, start + LINES)
      const key = run.map(({ told }) => told).join('\n')
      const first = places.get(key)
      if (first === undefined) places.set(key, `${file}:${run[0]?.line}`)
      else for (const { line } of run) repeated.set(line, repeated.get(line) ?? { file, line, copyOf: first })
    }
    return [...repeated.values()]
  })
}

/** @param {string} text @returns {{ told: string, line: number }[]} */
function tellingLines(text) {
  const uncommented = text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ''))
  const lines = uncommented.split('\n').map((line, i) => ({ told: line.trim(), line: i + 1 }))
  const imports = importLines(uncommented)
  return lines.filter(({ told, line }) => /\w/.test(told) && !told.startsWith('//') && !imports.has(line))
}

/** @param {string} text */
function importLines(text) {
  /** @type {Set<number>} */
  const lines = new Set()
  for (const { 0: statement, index } of text.matchAll(/^import\s[^;]*?['"][^'"\n]+['"]/gm)) {
    const first = text.slice(0, index).split('\n').length
    for (let i = 0; i < statement.split('\n').length; i += 1) lines.add(first + i)
  }
  return lines
}
