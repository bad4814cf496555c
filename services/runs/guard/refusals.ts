import type { ApprovalFacts } from '../peers/spaces-port.ts';

const NO_WAY_ROUND = 'Do not try to do the same another way.';

/** What the model is told of a call that a person did not allow; `decider` is the name of who decided. */
export function notAllowed({ id, status, decision }: ApprovalFacts, asked: string, decider: string): string {
  switch (status) {
    case 'unattended':
      return `Refused: ${asked} Nobody who may decide is connected, so it did not run. It waits in the inbox as ${id}: once a person has allowed it there, make exactly the same call again. Go on with what does not need it, or say what is blocked.`;
    case 'superseded':
      return `Refused: the request ${id} was taken back before anybody decided, so the call did not run.`;
    default: {
      const reason = decision?.reason?.trim();
      const why = reason ? `: ${reason}` : ', without a reason';
      return `Refused by ${decider} (${id})${why}. The call did not run. ${NO_WAY_ROUND}`;
    }
  }
}
