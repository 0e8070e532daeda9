/**
 * Holds a Web Lock for as long as this thread lives: whoever waits for the lock learns of its end. Resolves once it is
 * held, with false where there are no locks (plain http).
 */
export function holdLifeLine(name: string): Promise<boolean> {
  const { locks } = navigator as { readonly locks?: LockManager }
  if (locks === undefined) return Promise.resolve(false)
  return new Promise((resolve, reject) => {
    const untilTheEnd = () => {
      resolve(true)
      return new Promise<never>(() => undefined)
    }
    locks.request(name, untilTheEnd).catch(reject)
  })
}
