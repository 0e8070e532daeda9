/**
 * The commands that a card, the board or the chart gives by a press, with their code. The page loads it when it is idle
 * (src/app/start-background.ts), so that a press has only to store; an earlier press loads it itself. After a failure the
 * next call tries again.
 */
export const loadCommands = async () => {
  const [widgets, checkpoint, board] = await Promise.all([
    import('../db/commands/widgets'),
    import('../db/commands/default-checkpoint'),
    import('../db/queries/board'),
  ])
  return { ...widgets, ...checkpoint, ...board }
}
