import { saveFile } from '../../ui/save-file'
import type { CsvRequest, WorkerApi } from '../../../workers/api'

/** Saves the prices behind a chart as a file; rejects where there are none. */
export async function exportCsv(worker: WorkerApi, request: CsvRequest): Promise<void> {
  saveFile(await worker.csv(request), csvFileName(request.symbolA, request.symbolB))
}

/** Characters that some file system refuses in a name or reads as something else: separators, wildcards, controls, leading dots. */
const UNFIT = /[\p{C}\p{Z}\\/:*?"<>|]|^\.+/gu

/** Such as "btc_eth_historical.csv". */
export function csvFileName(symbolA: string, symbolB: string): string {
  const part = (symbol: string) => symbol.toLowerCase().replaceAll(UNFIT, '')
  return `${part(symbolA)}_${part(symbolB)}_historical.csv`
}
