/** For the first look at a lazy screen, whose import compiles it: seconds, where something else takes the processor. */
export const SLOW = { timeout: 30_000 }
