/** What `transfer` takes along: moving a buffer costs nothing, cloning five columns of a long chart 6 ms. */
export const buffersOf = (columns: readonly Float64Array[]): ArrayBuffer[] =>
  columns.map(({ buffer }) => buffer).filter((buffer) => buffer instanceof ArrayBuffer)
