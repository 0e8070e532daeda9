import { useMemo } from 'react'
import { type PolicyBlock, policyBlocks } from './policy-blocks'
import styles from './policy-text.module.css'

/** A policy, set to be read. */
export function PolicyText({ text }: { readonly text: string }) {
  const blocks = useMemo(() => policyBlocks(text), [text])
  return (
    <div className={styles.text}>
      {blocks.map((block, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a text's pieces have no other name and never move
        <Block key={index} block={block} />
      ))}
    </div>
  )
}

function Block({ block }: { readonly block: PolicyBlock }) {
  switch (block.kind) {
    case 'heading':
      return <h3 className={styles.heading}>{block.text}</h3>
    case 'paragraph':
      return <p>{block.text}</p>
    case 'list':
      return (
        <ul className={styles.list}>
          {block.items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      )
  }
}
