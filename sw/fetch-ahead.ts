import type { PrecacheEntry } from 'workbox-precaching'

/** How many files are fetched at once: as many as a browser has connections to one HTTP/1 server. */
const FETCHES = 6

/**
 * Puts the hashed files where Workbox looks before it fetches: it takes one after the other, which for nearly two hundred
 * files is half a minute of a slow network. A file that fails is fetched again by Workbox, and ends the installation if it
 * fails there. Files of the version before stay.
 */
export async function fetchAhead(files: readonly (PrecacheEntry | string)[], precache: Cache): Promise<void> {
  const waiting = files.flatMap((file) => (typeof file !== 'string' && file.revision === null ? file.url : []))
  const fetchNext = async (): Promise<void> => {
    // The last first: Workbox begins with the first.
    const url = waiting.pop()
    if (url === undefined) return
    if ((await precache.match(url)) === undefined)
      await precache.add(new Request(url, { priority: 'low' })).catch(() => undefined)
    return fetchNext()
  }
  await Promise.all(Array.from({ length: FETCHES }, fetchNext))
}
