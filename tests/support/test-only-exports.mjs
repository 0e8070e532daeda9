import { importersIn } from './import-graph.mjs'

const EXPORTED = /^export (?:declare |abstract |async )*(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm

/**
 * Exports of the program that tests import, and no other file of the program. A name is exported once in the program
 * (`repo/language.test.ts`), so a file that imports the module and says the name means that export.
 *
 * @param {ReadonlyMap<string, readonly string[]>} graph what each file of the program and of the tests imports
 * @param {(path: string) => boolean} ofProgram
 * @param {(path: string) => string} read
 * @returns {{ file: string, name: string }[]}
 */
export function testOnlyExports(graph, ofProgram, read) {
  const importers = importersIn(graph)
  return [...graph.keys()].filter(ofProgram).flatMap((file) => {
    const others = importers.get(file) ?? []
    /** @param {string} name @param {readonly string[]} paths */
    const saidIn = (name, paths) => paths.some((path) => new RegExp(`\\b${name}\\b`).test(read(path)))
    const program = others.filter(ofProgram)
    const tests = others.filter((path) => !ofProgram(path))
    return Array.from(read(file).matchAll(EXPORTED), ([, name = '']) => ({ file, name })).filter(
      ({ name }) => !saidIn(name, program) && saidIn(name, tests),
    )
  })
}
