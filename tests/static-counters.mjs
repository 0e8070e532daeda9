// Counts what the source shows by itself, and holds it against tests/budgets.json: repeated lines, circles of imports, exports
// that only tests use, long functions, lines of imports, decisions and terms. Names the places where a line is passed, and all of them with --all.
import { measured } from './support/budgets.mjs'
import { repeatedLines } from './support/duplicates.mjs'
import { circlesIn, importGraph, projectFiles, textOf } from './support/import-graph.mjs'
import { syntaxOf } from './support/syntax.mjs'
import { testOnlyExports } from './support/test-only-exports.mjs'

/** @param {string} path */
const ofProgram = (path) =>
  /^(src|sw|workers|server)\/.*\.(tsx?|mjs|css)$/.test(path) && !path.startsWith('server/cli/')
/** @param {string} path */
const ofTests = (path) => /^tests\/.*\.(tsx?|mjs)$/.test(path)

const files = projectFiles().filter((path) => ofProgram(path) || ofTests(path))
const texts = new Map(files.map((path) => [path, textOf(path)]))
/** @param {string} path */
const read = (path) => texts.get(path) ?? ''
const graph = importGraph(files, read)

/** @param {(path: string) => boolean} belongs */
const repeatedIn = (belongs) =>
  repeatedLines(new Map([...texts].filter(([path]) => belongs(path)))).map(
    ({ file, line, copyOf }) => `${file}:${line} repeats ${copyOf}`,
  )

const circles = circlesIn(new Map([...graph].filter(([path]) => ofProgram(path))))
const scripts = files.filter((path) => ofProgram(path) && !path.endsWith('.css'))
const syntax = new Map(scripts.map((path) => [path, syntaxOf(path, read(path))]))
/** @param {(path: string) => number} count */
const sum = (count) => scripts.reduce((total, path) => total + count(path), 0)
const importShare =
  (1000 * sum((path) => syntax.get(path)?.importLines ?? 0)) / sum((path) => read(path).split('\n').length)

/** Of each line its places, or a number that has none. @type {Record<string, string[] | number>} */
const COUNTED = {
  'repeated lines of the program': repeatedIn(ofProgram),
  'repeated lines of the tests': repeatedIn(ofTests),
  'circles of imports': circles.map((circle) => circle.join(', ')),
  'files in circles of imports': circles.flatMap((circle) =>
    circle.map((path) => `${path}, in a circle of ${circle.length}`),
  ),
  'exports that only tests use': testOnlyExports(graph, ofProgram, read).map(({ file, name }) => `${file}: ${name}`),
  'functions longer than 60 lines': [...syntax].flatMap(([path, { longFunctions }]) =>
    longFunctions.map((line) => `${path}:${line}`),
  ),
  'lines of imports, thousandths of the program': Number(importShare.toFixed(1)),
  decisions: projectFiles().filter((path) => /^docs\/decisions\/\d/.test(path)),
  'terms of the glossary': (textOf('docs/glossary.md').match(/^\| .+ \|$/gm) ?? []).slice(1),
}

for (const [name, counted] of Object.entries(COUNTED)) {
  const places = typeof counted === 'number' ? [] : counted
  const value = typeof counted === 'number' ? counted : counted.length
  const named = places.map((place) => `\n    ${place}`).join('')
  console.log(`${name}: ${value}${process.argv.includes('--all') ? named : ''}`)
  try {
    measured(name, value)
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}${named}`)
    process.exitCode = 1
  }
}
