import { Download } from 'lucide-react'
import type { AlertRow } from '../../db/rows'
import { wayWords } from '../../domain/way-alerts'
import { useServices } from '../../state/services'
import { Button } from '../../ui/button'
import { TextInput } from '../../ui/field'
import { saveFile } from '../../ui/save-file'
import { logCsv } from './log-csv'
import styles from './log-tools.module.css'

/** Alerts of pairs whose name has these characters, with or without blanks and in either case. */
export function rowsOfPair(rows: readonly AlertRow[], query: string): readonly AlertRow[] {
  const plain = (text: string) => text.replaceAll(/\s/g, '').toLowerCase()
  return query.trim() === ''
    ? rows
    : rows.filter((row) => wayWords(row) === undefined && plain(row.pair).includes(plain(query)))
}

interface LogToolsProps {
  /** Those that are listed. */
  readonly rows: readonly AlertRow[]
  readonly query: string
  readonly onQuery: (query: string) => void
}

/** Search by pair, and the rows as a file. */
export function LogTools({ rows, query, onQuery }: LogToolsProps) {
  const { commands } = useServices()
  const save = () => saveFile(new Blob([logCsv(rows, commands.now())], { type: 'text/csv' }), 'alerts.csv')
  return (
    <div className={styles.tools}>
      <TextInput
        type="search"
        aria-label="Search by pair"
        placeholder="Pair"
        value={query}
        onChange={(event) => onQuery(event.currentTarget.value)}
      />
      <Button icon={Download} onClick={save}>
        Export CSV
      </Button>
    </div>
  )
}
