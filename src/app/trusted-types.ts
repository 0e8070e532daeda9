interface TrustedTypes {
  createPolicy(name: 'default', rules: { readonly createScriptURL: (url: string) => string }): unknown
}

/**
 * Trusted Types, which the server's policy requires: a worker is started by a string only where the string is an address of
 * our own. There is no rule for HTML or source text, so that the browser refuses those.
 */
export function trustOwnScriptUrls(
  { trustedTypes }: { readonly trustedTypes?: TrustedTypes } = globalThis as object,
): void {
  trustedTypes?.createPolicy('default', {
    createScriptURL: (url) => {
      if (new URL(url, location.href).origin !== location.origin) throw new TypeError('A script of another origin')
      return url
    },
  })
}
