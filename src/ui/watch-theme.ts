/** Calls `changed` when the tokens may have other values or a font has loaded; returns the function that ends it. */
export function watchTheme(changed: () => void): () => void {
  const attribute = new MutationObserver(changed)
  attribute.observe(document.documentElement, { attributeFilter: ['data-theme', 'class', 'style'] })
  const queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((query) => matchMedia(query))
  for (const query of queries) query.addEventListener('change', changed)
  document.fonts?.addEventListener('loadingdone', changed)
  return () => {
    attribute.disconnect()
    for (const query of queries) query.removeEventListener('change', changed)
    document.fonts?.removeEventListener('loadingdone', changed)
  }
}
