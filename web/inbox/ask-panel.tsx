import { AskAction } from './ask-action.tsx';
import { AskBudget } from './ask-budget.tsx';
import { AskOther } from './ask-other.tsx';
import { AskPlanExit } from './ask-plan-exit.tsx';
import { AskProposal } from './ask-proposal.tsx';
import { AskQuestion } from './ask-question.tsx';
import { kindOf, type WaitingApproval } from './queue.ts';
import type { Deciding } from './use-deciding.ts';

export interface AskProps {
  ws: string;
  approval: WaitingApproval;
  deciding: Deciding;
}

/** What is asked and the ways to decide it, by kind. */
export function AskPanel(props: AskProps) {
  switch (kindOf(props.approval)) {
    case 'action':
      return <AskAction {...props} />;
    case 'question':
      return <AskQuestion {...props} />;
    case 'budget':
      return <AskBudget {...props} />;
    case 'proposal':
    case 'plan':
      return <AskProposal {...props} />;
    case 'planExit':
      return <AskPlanExit {...props} />;
    default:
      return <AskOther {...props} />;
  }
}
