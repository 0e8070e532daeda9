/** An installed app's icon counts what nobody has looked at; whoever looks at the app is told there (W3C Badging API). */
export function clearBadgeWhenSeen(): void {
  // Only browsers that can install the app have it.
  if (!('clearAppBadge' in navigator)) return
  const clear = () => {
    if (document.visibilityState === 'visible') navigator.clearAppBadge().catch(reportError)
  }
  clear()
  document.addEventListener('visibilitychange', clear)
}
