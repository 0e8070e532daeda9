/** Bytes of one answer, unpacked: thirty times the longest that CoinGecko gives (250 coins, or 90 days of hours). */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024

/**
 * `fetch` whose body ends with an error where the provider sends too much: the time limit alone would let a fast sender fill
 * this process's memory.
 */
export async function boundedFetch(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const { body, status, statusText, headers } = await fetch(input, init)
  let bytes = 0
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength
      if (bytes > MAX_ANSWER_BYTES) controller.error(new Error(`The answer is longer than ${MAX_ANSWER_BYTES} bytes`))
      else controller.enqueue(chunk)
    },
  })
  return new Response(body?.pipeThrough(bound) ?? null, { status, statusText, headers })
}
