import { useLiveQuery } from 'dexie-react-hooks'
import { useCallback } from 'react'
import { keepFeedbackDraft } from '../../db/commands/keep-feedback-draft'
import { readFeedbackDraft } from '../../db/queries/feedback-draft'
import { useServices } from '../../state/services'

interface Draft {
  /** Undefined until it has been read. */
  readonly stored: string | undefined
  readonly keep: (text: string) => void
}

/** What was typed before and never sent. */
export function useDraft(): Draft {
  const { db } = useServices().commands
  const stored = useLiveQuery(() => readFeedbackDraft(db), [db])
  const keep = useCallback((text: string) => void keepFeedbackDraft(db, text).catch(reportError), [db])
  return { stored, keep }
}
