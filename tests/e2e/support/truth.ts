import type { Page } from 'playwright/test'

/** Every record of a table of the browser's local database. */
function readTable(page: Page, table: string): Promise<unknown[]> {
  return page.evaluate(
    (name) =>
      new Promise<unknown[]>((resolve, reject) => {
        const opening = indexedDB.open('ratio-tracker')
        opening.addEventListener('error', () => reject(opening.error))
        opening.addEventListener('success', () => {
          const reading = opening.result.transaction(name).objectStore(name).getAll()
          reading.addEventListener('error', () => reject(reading.error))
          reading.addEventListener('success', () => {
            opening.result.close()
            resolve(reading.result)
          })
        })
      }),
    table,
  )
}

/** The guest identity of this browser. */
export async function anonymousId(page: Page): Promise<string> {
  const [session] = (await readTable(page, 'session')) as { anonymous_id: string }[]
  if (session === undefined) throw new Error('This browser has no identity yet.')
  return session.anonymous_id
}

/** How many changes the server has not agreed to yet. */
export const waitingChanges = async (page: Page): Promise<number> => (await readTable(page, 'outbox')).length

/** The pairs that the server has for a guest, in order, such as "bitcoin/ethereum". */
export async function pairsOnServer(origin: string, guest: string): Promise<string[]> {
  const answer = await fetch(`${origin}/api/v1/widgets`, { headers: { 'X-Anonymous-User-ID': guest } })
  if (!answer.ok) throw new Error(`GET /widgets answered ${answer.status}`)
  const widgets = (await answer.json()) as readonly { coin_a_id: string; coin_b_id: string }[]
  return widgets.map((widget) => `${widget.coin_a_id}/${widget.coin_b_id}`)
}
