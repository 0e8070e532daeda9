// Counts what the source shows by itself, and holds it against tests/budgets.json: repeated lines, circles of imports, exports
// that only tests use. Names the places where a line is passed, and all of them with --all.
import { measured } from './support/budgets.mjs'
import { repeatedLines } from './support/duplicates.mjs'
import { circlesIn, importGraph, projectFiles, textOf } from './support/import-graph.mjs'
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

const COUNTED = {
  'repeated lines of the program': repeatedIn(ofProgram),
  'repeated lines of the tests': repeatedIn(ofTests),
  'files in circles of imports': circlesIn(new Map([...graph].filter(([path]) => ofProgram(path)))).flatMap((circle) =>
    circle.map((path) => `${path}, in a circle of ${circle.length}`),
  ),
  'exports that only tests use': testOnlyExports(graph, ofProgram, read).map(({ file, name }) => `${file}: ${name}`),
}

for (const [name, places] of Object.entries(COUNTED)) {
  console.log(`${name}: ${places.length}`)
  if (process.argv.includes('--all')) console.log(places.map((place) => `    ${place}`).join('\n'))
  try {
    measured(name, places.length)
  } catch (error) {
    console.error(
      `${error instanceof Error ? error.message : String(error)}\n${places.map((place) => `    ${place}`).join('\n')}`,
    )
    process.exitCode = 1
  }
}
