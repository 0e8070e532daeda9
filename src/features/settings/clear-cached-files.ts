/** Deletes files fetched along the way, such as coin icons; the app's own files stay, or it would not open offline. */
export async function clearCachedFiles(): Promise<void> {
  // Plain http has no caches.
  if (!('caches' in globalThis)) return
  const names = await caches.keys()
  await Promise.all(names.filter((name) => !name.includes('precache')).map((name) => caches.delete(name)))
}
