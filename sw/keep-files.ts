type File = readonly [url: string, key: string]

/** How many files are fetched at once: as many as a browser has connections to one HTTP/1 server. */
const FETCHES = 6

const isPage = ([url]: File): boolean => url.endsWith('/index.html')

/**
 * Puts files where Workbox looks before it fetches; those that are there stay. Workbox itself takes one after the other,
 * which for nearly two hundred files is half a minute of a slow network. The page is the last, once all that it names is
 * there: after a deployment the server has no files of the version before, and a kept page would open blank.
 * @param files addresses, and the keys under which Workbox looks for them; the two are one where the name has a hash
 * @throws the last failure, once all other files but the page are there
 */
export async function keepFiles(files: Iterable<File>, cache: Cache): Promise<void> {
  const kept = new Set((await cache.keys()).map(({ url }) => url))
  const missing = [...files].filter(([, key]) => !kept.has(key))
  await keepEach(
    missing.filter((file) => !isPage(file)),
    cache,
  )
  await keepEach(missing.filter(isPage), cache)
}

async function keepEach(files: readonly File[], cache: Cache): Promise<void> {
  const waiting = files.values()
  let failure: unknown
  const fetchNext = async (): Promise<void> => {
    // All take from one iterator.
    for (const [url, key] of waiting) {
      const request = new Request(url, { priority: 'low', cache: key === url ? 'default' : 'reload' })
      await keep(request, key, cache).catch((error: unknown) => {
        failure = error
      })
    }
  }
  await Promise.all(Array.from({ length: FETCHES }, fetchNext))
  if (failure !== undefined) throw failure
}

async function keep(request: Request, key: string, cache: Cache): Promise<void> {
  const answer = await fetch(request)
  if (!answer.ok) throw new Error(`${request.url} was answered with ${answer.status}`)
  await cache.put(key, answer)
}
