import { MINUTE } from '../domain/granularity'

/** Milliseconds within which a browser begins to read a download's contents after the click. */
const READ_TIMEOUT_MS = MINUTE

/** Saves the contents as a file among the browser's downloads. */
export function saveFile(contents: Blob, name: string): void {
  const address = URL.createObjectURL(contents)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), READ_TIMEOUT_MS)
}
