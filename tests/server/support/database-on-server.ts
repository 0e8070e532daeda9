import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { countStart } from '../../support/starts.mjs'

/**
 * Makes a database beside the one that `server` names.
 * @param template the name of a database to copy; null: it is empty
 */
export async function databaseOnServer(
  server: string,
  template: string | null = null,
): Promise<{ name: string; url: string; drop: () => Promise<void> }> {
  countStart('database')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await onServer(server, `CREATE DATABASE ${name}${template === null ? '' : ` TEMPLATE ${template}`}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { name, url: url.href, drop: () => onServer(server, `DROP DATABASE ${name} WITH (FORCE)`) }
}

export async function onServer(url: string, statement: string): Promise<void> {
  const client = new Client(url)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
