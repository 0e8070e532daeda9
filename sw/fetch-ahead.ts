import type { PrecacheEntry } from 'workbox-precaching'

/** How many files are fetched at once: as many as a browser has connections to one HTTP/1 server. */
const FETCHES = 6

/**
 * Fetches the hashed files into the browser's own cache. Workbox, which fetches one after the other, finds them there: one
 * by one, a hundred files take half a minute of a slow network. A file that fails is fetched again by Workbox, and ends the
 * installation if it fails there.
 */
export async function fetchAhead(files: readonly (PrecacheEntry | string)[]): Promise<void> {
  const waiting = files.flatMap((file) => (typeof file !== 'string' && file.revision === null ? file.url : []))
  const fetchNext = async (): Promise<void> => {
    const url = waiting.shift()
    if (url === undefined) return
    await fetch(url, { priority: 'low' }).then(
      (answer) => answer.arrayBuffer(),
      () => undefined,
    )
    return fetchNext()
  }
  await Promise.all(Array.from({ length: FETCHES }, fetchNext))
}
