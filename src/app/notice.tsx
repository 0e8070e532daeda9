import type { ReactNode } from 'react'
import { Button } from '../ui/button'
import text from '../ui/text.module.css'
import styles from './notice.module.css'

interface NoticeProps {
  readonly title: string
  readonly children: ReactNode
  /** Technical words for whoever is asked for help. */
  readonly detail?: string
  readonly action?: string
}

/** Takes the place of what cannot be shown. */
export function Notice({ title, children, detail, action = 'Reload' }: NoticeProps) {
  return (
    <div className={styles.card} role="alert">
      <h1 className={styles.title}>{title}</h1>
      <div className={text.muted}>{children}</div>
      {detail !== undefined && <code className={styles.detail}>{detail}</code>}
      <Button variant="primary" onClick={() => location.reload()}>
        {action}
      </Button>
    </div>
  )
}

/** Takes the place of the whole app when it cannot run. */
export function FullPageNotice(props: NoticeProps) {
  return (
    <main className={styles.page}>
      <Notice {...props} />
    </main>
  )
}
