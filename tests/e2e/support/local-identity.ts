import type { Page } from 'playwright/test'

/** The guest identity that this browser keeps in its local database. */
export function anonymousId(page: Page): Promise<string> {
  return page.evaluate(
    () =>
      new Promise<string>((resolve, reject) => {
        const opening = indexedDB.open('ratio-tracker')
        opening.addEventListener('error', () => reject(opening.error))
        opening.addEventListener('success', () => {
          const reading = opening.result.transaction('session').objectStore('session').get('current')
          reading.addEventListener('error', () => reject(reading.error))
          reading.addEventListener('success', () => {
            opening.result.close()
            resolve((reading.result as { anonymous_id: string }).anonymous_id)
          })
        })
      }),
  )
}

/** The pairs that the server has for a guest, in order, such as "bitcoin/ethereum". */
export async function pairsOnServer(origin: string, guest: string): Promise<string[]> {
  const answer = await fetch(`${origin}/api/v1/widgets`, { headers: { 'X-Anonymous-User-ID': guest } })
  if (!answer.ok) throw new Error(`GET /widgets answered ${answer.status}`)
  const widgets = (await answer.json()) as readonly { coin_a_id: string; coin_b_id: string }[]
  return widgets.map((widget) => `${widget.coin_a_id}/${widget.coin_b_id}`)
}
