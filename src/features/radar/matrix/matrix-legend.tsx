import { deviationWords } from '../../../domain/standing'
import { COLOR_END, cssColorOf, type MatrixTheme } from './matrix-drawing'
import styles from './matrix-legend.module.css'

const MARKS = [-3, -2, -1, 0, 1, 2, 3] as const

/** The scale of the colours; in forced colours that of the squares. */
export const MatrixLegend = ({ theme }: { readonly theme: MatrixTheme }) => (
  <div className={styles.legend} role="img" aria-label="Colours from 3 deviations below the average to 3 above">
    <span>Low</span>
    <span className={styles.marks}>
      {MARKS.map((mark) => (
        <span key={mark} className={styles.mark}>
          {theme.isForced ? (
            <span className={styles.room}>
              <span
                className={mark > 0 ? styles.filled : styles.hollow}
                style={{ width: `${(Math.abs(mark) / COLOR_END) * 100}%` }}
              />
            </span>
          ) : (
            <span className={styles.swatch} style={{ background: cssColorOf(theme, mark) }} />
          )}
          {deviationWords(mark, 0)}
        </span>
      ))}
    </span>
    <span>High</span>
  </div>
)
