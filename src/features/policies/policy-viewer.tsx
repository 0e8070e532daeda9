import { useLiveQuery } from 'dexie-react-hooks'
import type { Policies } from '../../contract/policies'
import { readPolicyText } from '../../db/queries/policies'
import { useServices } from '../../state/services'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { FormNote } from '../../ui/form-note'
import { Skeleton } from '../../ui/skeleton'
import { POLICY_NAMES } from './policy-names'
import { PolicyText } from './policy-text'
import styles from './policy-viewer.module.css'
import { useLoadPolicies } from './use-load-policies'

const NOT_LOADED = 'Could not load policy content. Please try again later.'
const LINES = ['92%', '100%', '97%', '64%', '99%', '88%', '95%', '41%']

interface PolicyViewerProps {
  readonly policy: keyof Policies
  readonly onClose: () => void
}

/** A policy's text: as it was last loaded at once, and anew where there is another version. */
export function PolicyViewer({ policy, onClose }: PolicyViewerProps) {
  const { db } = useServices().commands
  const [loading, again] = useLoadPolicies()
  const stored = useLiveQuery(() => readPolicyText(db, policy), [db, policy])
  return (
    <Dialog
      title={POLICY_NAMES[policy]}
      size="lg"
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the text takes the focus, so that keys scroll it */}
      <section className={styles.content} aria-label={POLICY_NAMES[policy]} tabIndex={0} data-autofocus>
        {stored != null ? (
          <PolicyText text={stored.text} />
        ) : loading === 'loading' || stored === undefined ? (
          <div role="status" aria-label="Loading" className={styles.skeleton}>
            {LINES.map((width) => (
              <Skeleton key={width} width={width} height="0.875rem" />
            ))}
          </div>
        ) : (
          <div className={styles.problem}>
            <FormNote tone="error">{NOT_LOADED}</FormNote>
            <Button onClick={again}>Try again</Button>
          </div>
        )}
      </section>
    </Dialog>
  )
}
