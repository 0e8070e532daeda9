import type { CsvRequest, WorkerApi } from '../../../workers/api'
import { saveFile } from '../../ui/save-file'
import { csvFileName } from './csv-file-name'

/** Saves the prices behind a chart as a file; rejects where there are none. */
export async function exportCsv(worker: WorkerApi, request: CsvRequest): Promise<void> {
  saveFile(await worker.csv(request), csvFileName(request.symbolA, request.symbolB))
}
