import type { CsvRequest, WorkerApi } from '../../../workers/api'
import { csvFileName } from './csv-file-name'

/** Milliseconds: browsers begin to read a download's contents some time after the click. */
const READ_BY = 60_000

/** Saves the prices behind a chart as a file; rejects where there are none. */
export async function exportCsv(worker: WorkerApi, request: CsvRequest): Promise<void> {
  const address = URL.createObjectURL(await worker.csv(request))
  const link = document.createElement('a')
  link.href = address
  link.download = csvFileName(request.symbolA, request.symbolB)
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), READ_BY)
}
