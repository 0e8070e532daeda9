import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type * as z from 'zod'
import { variables } from '../../server/env-variables'
import { projectRoot } from './scratch-copy'

/** The value that a variable has without being set: as its description says, else by its schema. */
function unsetOf(schema: z.ZodType): string {
  const unset = schema.meta()?.unset
  if (unset !== undefined) return unset
  const value = schema.parse(undefined) as string | number | boolean | readonly string[] | undefined
  const values = [value ?? []].flat()
  return values.length === 0 ? 'none' : `\`${values.join(', ')}\``
}

const shape: readonly [string, z.ZodType][] = Object.entries(variables.shape)

const rowOf = ([name, schema]: readonly [string, z.ZodType]): string => {
  const { heading, secret } = schema.meta() ?? {}
  const names = secret === true ? [name, `${name}_FILE`] : [name]
  const head = heading === undefined ? '' : `\n## ${heading}\n\n| variable | meaning | without it |\n|---|---|---|\n`
  return `${head}| ${names.map((one) => `\`${one}\``).join(', ')} | ${schema.description} | ${unsetOf(schema)} |\n`
}

const PAGE = `# Configuration

By environment variables, checked at start; a wrong value stops the server with a message that names it, and a variable set to
nothing counts as not set. \`npm run backup\`, \`restore\` and \`superuser\` read the same ones. Instead of a
secret itself, \`NAME_FILE\` may name a file that holds it, as Docker, Kubernetes and systemd hand secrets over; the end of its last line
does not count.

These tables are made of \`server/env-variables.ts\` by \`npm run configuration\`: change them there.
${shape.map(rowOf).join('')}`

it('docs/running/configuration.md is what `npm run configuration` makes of the variables, each with a description', async () => {
  expect(shape.filter(([, { description = '' }]) => description === '').map(([name]) => name)).toEqual([])
  await expect(PAGE).toMatchFileSnapshot(join(projectRoot, 'docs/running/configuration.md'))
})

it('README.md has at most 80 lines, and its table names variables that there are, ten or so', () => {
  const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8')
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(80)
  const rows = readme.match(/^\| `.+ \|$/gm) ?? []
  const named = rows.flatMap((row) => row.split('|')[1]!.match(/[A-Z_]{4,}/g) ?? [])
  const known = Object.keys(variables.shape)
  expect(named.filter((name) => !known.includes(name))).toEqual([])
  expect(named.length).toBeGreaterThan(7)
  expect(named.length).toBeLessThan(15)
})
