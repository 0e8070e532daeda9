import { MINUTE } from '../domain/granularity'

/** Milliseconds: browsers begin to read a download's contents some time after the click. */
const READ_BY = MINUTE

/** Saves something as a file of that name among the browser's downloads. */
export function saveFile(contents: Blob, name: string): void {
  const address = URL.createObjectURL(contents)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), READ_BY)
}
