export const countOf = (count: number): string => (count === 1 ? '1 pair' : `${count} pairs`)
