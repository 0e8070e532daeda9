import { expect, type Page } from 'playwright/test'
import type { Widget } from '../../../src/contract/widget'

/** Every record of a table of the browser's local database. */
export const readTable = (page: Page, table: string): Promise<unknown[]> => page.evaluate(recordsOf, table)

/** Runs in a page, whichever browser has it. The app opens its database after the first paint: before it, there are no records. */
export function recordsOf(table: string): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('ratio-tracker')
    let missing = false
    opening.addEventListener('upgradeneeded', () => {
      missing = true
      opening.transaction!.abort()
    })
    opening.addEventListener('error', (event) => {
      event.preventDefault()
      if (missing) resolve([])
      else reject(opening.error)
    })
    opening.addEventListener('success', () => {
      const reading = opening.result.transaction(table).objectStore(table).getAll()
      reading.addEventListener('error', () => reject(reading.error))
      reading.addEventListener('success', () => {
        opening.result.close()
        resolve(reading.result)
      })
    })
  })
}

/** Puts a record into a table of the browser's local database, behind the app's back: no live query hears of it. */
function writeRecord(page: Page, table: string, record: object): Promise<void> {
  return page.evaluate(
    ([name, value]) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('ratio-tracker')
        opening.addEventListener('error', () => reject(opening.error))
        opening.addEventListener('success', () => {
          const transaction = opening.result.transaction(name, 'readwrite')
          transaction.objectStore(name).put(value)
          transaction.addEventListener('error', () => reject(transaction.error))
          transaction.addEventListener('complete', () => {
            opening.result.close()
            resolve()
          })
        })
      }),
    [table, record] as const,
  )
}

/** Lets the settings and policies that this browser holds look as old as yesterday's, so that its next start asks anew. */
export async function ageSettings(page: Page): Promise<void> {
  const records = (await readTable(page, 'meta')) as readonly { key: string; value: object }[]
  for (const { key, value } of records) {
    if (key === 'config' || key === 'tier_limits' || key === 'policies')
      await writeRecord(page, 'meta', { key, value: { ...value, fetched_at: 0 } })
    if (key === 'begun') await writeRecord(page, 'meta', { key, value: {} })
  }
}

/** The guest identity of this browser. */
export async function anonymousId(page: Page): Promise<string> {
  const identities = async () => (await readTable(page, 'session')) as { anonymous_id: string }[]
  await expect.poll(identities, 'the identity of this browser').toHaveLength(1)
  return (await identities())[0]!.anonymous_id
}

/** How many changes the server has not agreed to yet. */
export const waitingChanges = async (page: Page): Promise<number> => (await readTable(page, 'outbox')).length

/** Identity of a request: a guest's id, or an account's token. */
export type Asker = { readonly guest: string } | { readonly token: string }

/** How an asker says who they are. */
export const headersOf = (asker: Asker): Record<string, string> =>
  'guest' in asker ? { 'X-Anonymous-User-ID': asker.guest } : { authorization: `Bearer ${asker.token}` }

/** The user's widgets at the server, in order. */
export async function widgetsOnServer(origin: string, asker: Asker): Promise<Widget[]> {
  const answer = await fetch(`${origin}/api/v1/widgets`, { headers: headersOf(asker) })
  if (!answer.ok) throw new Error(`GET /widgets answered ${answer.status}`)
  return (await answer.json()) as Widget[]
}

/** The pairs that the server has for a guest, in order, such as "bitcoin/ethereum". */
export async function pairsOnServer(origin: string, guest: string): Promise<string[]> {
  const widgets = await widgetsOnServer(origin, { guest })
  return widgets.map((widget) => `${widget.coin_a_id}/${widget.coin_b_id}`)
}
