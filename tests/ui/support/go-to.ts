import { act } from '@testing-library/react'

/** Changes the address and tells the page so, as the browser's Back does. */
export const goTo = (address: string): void =>
  act(() => {
    history.replaceState(null, '', address)
    window.dispatchEvent(new PopStateEvent('popstate'))
  })
