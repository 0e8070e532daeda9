import type { AskingPage } from './answer-page'
import { isGo } from './protocol'

/** Milliseconds for a page to say that it goes on; one that is closed never does. */
const PATIENCE = 10_000

/** The page at the other end of a request's port. */
export function askingPage(port: MessagePort): AskingPage {
  const going = new Promise<true>((resolve) => {
    port.addEventListener('message', ({ data }: MessageEvent) => {
      if (isGo(data)) resolve(true)
    })
  })
  port.start()
  return {
    reply: (reply) => port.postMessage(reply),
    wants: () => Promise.race([going, new Promise<false>((resolve) => setTimeout(resolve, PATIENCE, false))]),
  }
}
