import type { Adapter, AdapterPayload } from 'oidc-provider'

/** Where the sandbox's OpenID provider keeps what it has to remember: in memory, gone with the process. */
export function providerStorage(): (model: string) => Adapter {
  const kept = new Map<string, AdapterPayload>()
  const find = (matches: (payload: AdapterPayload) => boolean) => [...kept.values()].find(matches)
  return (model) => {
    const keyOf = (id: string) => `${model} ${id}`
    return {
      upsert: async (id, payload) => void kept.set(keyOf(id), payload),
      find: async (id) => kept.get(keyOf(id)),
      findByUid: async (uid) => find((payload) => payload.uid === uid && payload.kind === model),
      findByUserCode: async (code) => find((payload) => payload.userCode === code && payload.kind === model),
      consume: async (id) => {
        const payload = kept.get(keyOf(id))
        if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000)
      },
      destroy: async (id) => void kept.delete(keyOf(id)),
      revokeByGrantId: async (grantId) => {
        for (const [key, payload] of kept) if (payload.grantId === grantId) kept.delete(key)
      },
    }
  }
}
