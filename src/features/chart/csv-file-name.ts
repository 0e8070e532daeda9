/** What no file system takes in a name, or takes for something else: separators, wildcards, controls, leading dots. */
const UNFIT = /[\p{C}\p{Z}\\/:*?"<>|]|^\.+/gu

/** Such as "btc_eth_historical.csv". */
export function csvFileName(symbolA: string, symbolB: string): string {
  const part = (symbol: string) => symbol.toLowerCase().replaceAll(UNFIT, '')
  return `${part(symbolA)}_${part(symbolB)}_historical.csv`
}
