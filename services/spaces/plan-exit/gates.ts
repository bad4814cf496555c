import type { Statement } from '../../kit/database/database.ts';
import { type Closing, supersedeStatements } from '../approvals/closing.ts';

/** A yes that no call has used yet, within a query over approvals. */
export const UNUSED_YES = `kind = 'plan_exit' AND status = 'approved' AND consumedBy IS NULL`;

/**
 * A space that is not in plan mode has no gate out of it: the open one is superseded, and a yes that nobody used is used
 * up, so that it can never lead out of a plan that begins later. Belongs to every batch that changes a mode.
 */
export function closeGatesOutsidePlan(spaceId: string, closing: Closing): Statement[] {
  const isOutside = `spaceId = ? AND EXISTS (SELECT 1 FROM spaces WHERE spaces.id = spaceId AND mode <> 'plan')`;
  return [
    {
      sql: `UPDATE approvals SET consumedBy = 'space.change' WHERE ${UNUSED_YES} AND ${isOutside}`,
      args: [spaceId],
    },
    ...supersedeStatements(closing, {
      sql: `kind = 'plan_exit' AND status = 'pending' AND ${isOutside}`,
      args: [spaceId],
    }),
  ];
}
