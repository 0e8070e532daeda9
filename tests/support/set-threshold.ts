import type { CommandContext, CommandResult } from '../../src/db/command'
import { updateWidget } from '../../src/db/commands/widgets'
import type { AlertSide } from '../../src/domain/alerts'
import type { WidgetId } from '../../src/domain/ids'

/** Sets one side's threshold, or clears it with null. */
export const setThreshold = (
  context: CommandContext,
  id: WidgetId,
  side: AlertSide,
  threshold: number | null,
  armed: boolean,
): Promise<CommandResult> => updateWidget(context, id, { alerts: { [side]: { threshold, armed } } })
