import { onTestFinished, vi } from 'vitest'

/** A browser whose user makes any passkey, and confirms with it. */
export function stubPasskeys(): void {
  const bytes = new Uint8Array([1]).buffer
  const credential = { id: 'AQ', rawId: bytes, type: 'public-key', getClientExtensionResults: () => ({}) }
  const signed = { authenticatorData: bytes, clientDataJSON: bytes, signature: bytes, userHandle: null }
  const made = { attestationObject: bytes, clientDataJSON: bytes, getTransports: () => ['internal'] }
  vi.stubGlobal('PublicKeyCredential', () => undefined)
  Object.defineProperty(navigator, 'credentials', {
    configurable: true,
    value: {
      get: async () => ({ ...credential, response: signed }),
      create: async () => ({ ...credential, response: made }),
    },
  })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'credentials'))
}
