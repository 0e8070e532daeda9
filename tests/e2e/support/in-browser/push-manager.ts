/*
 * Runs in every page and in the service worker, before the app: puts a push service that tests can reach under the
 * browser's Push API (W3C), whose own would be asked in vain. The test knows the subscriptions, and answers
 * these requests, so that pages and worker see the same.
 */
const DESK = '/the-browsers-own-push'

interface Known {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
  readonly applicationServerKey: string
}

const bytes = (text: string): ArrayBuffer =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0)).buffer
const text = (key: BufferSource | string): string => {
  if (typeof key === 'string') return key
  const view = ArrayBuffer.isView(key)
    ? new Uint8Array(key.buffer, key.byteOffset, key.byteLength)
    : new Uint8Array(key)
  return btoa(String.fromCharCode(...view))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

async function ask(method: string, body?: string): Promise<Known | null> {
  const answer = await fetch(DESK, { method, ...(body === undefined ? {} : { body }) })
  // A window that has just been opened is not answered by the test yet.
  if (!answer.ok) return null
  const answered = (await answer.json()) as
    | { readonly known: Known | null }
    | { readonly name: string; readonly message: string }
  if ('name' in answered) throw new DOMException(answered.message, answered.name)
  return answered.known
}

/** As a real one answers, as far as anybody asks. */
const subscription = ({ endpoint, keys, applicationServerKey }: Known): PushSubscription => ({
  endpoint,
  expirationTime: null,
  options: { userVisibleOnly: true, applicationServerKey: bytes(applicationServerKey) },
  getKey: (name) => bytes(keys[name]),
  toJSON: () => ({ endpoint, expirationTime: null, keys: { ...keys } }),
  unsubscribe: async () => (await ask('DELETE')) !== null,
})

PushManager.prototype.subscribe = async (options) => {
  const key = options?.applicationServerKey
  if (key === undefined || key === null)
    throw new DOMException('There is no applicationServerKey.', 'NotSupportedError')
  const made = await ask('POST', text(key))
  if (made === null) throw new DOMException('Nothing was subscribed.', 'AbortError')
  return subscription(made)
}
PushManager.prototype.getSubscription = async () => {
  const known = await ask('GET')
  return known === null ? null : subscription(known)
}
