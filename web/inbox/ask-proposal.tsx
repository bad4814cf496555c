import type { OrchestrationDetail } from '../../services/orchestration/orchestrations/orchestration.ts';
import type { ApprovalArguments } from '../../services/spaces/approvals/schema.ts';
import { ask, orchestration } from '../api/client.ts';
import { keys, queryClient } from '../api/queries.ts';
import { useOrchestration } from '../conversation/cards/orchestration-data.ts';
import { Markdown } from '../conversation/markdown.tsx';
import { useText } from '../i18n/text.ts';
import { Failed, Loading } from '../ui/states.tsx';
import { visibleText } from '../ui/visible-text.ts';
import { AskActions } from './ask-actions.tsx';
import type { AskProps } from './ask-panel.tsx';
import { askText } from './ask-text.ts';
import { OutOfDate } from './out-of-date.tsx';
import css from './preview.module.css';
import { ProposalFacts } from './proposal-facts.tsx';
import { subjectOf } from './subject.ts';

const LONGEST_TITLE = 200;

/** A short goal stands in the heading already, its lines in one. */
const isTitle = (goal: string, approval: AskProps['approval']) =>
  goal.length <= LONGEST_TITLE && goal.replaceAll(/\s+/g, ' ').trim() === subjectOf(approval).trim();

/** A proposal or a plan: what it wants, what it is made of, what it may cost. */
export function AskProposal({ ws, approval, deciding }: AskProps) {
  const t = useText(askText);
  const { orchestrationId: id, revision } =
    approval.arguments as unknown as ApprovalArguments['orchestration'];
  const detail = useOrchestration(ws, id);
  const param = { workspaceId: ws, id };
  const at = orchestration.api.workspaces[':workspaceId'].orchestrations[':id'];
  const run = (send: () => Promise<unknown>) =>
    deciding.run(() =>
      send().finally(() => void queryClient.invalidateQueries({ queryKey: keys.orchestration(ws, id) })),
    );
  const shown = detail.data as OrchestrationDetail | undefined;
  return (
    <>
      <div className={css.body}>
        {shown ? (
          <>
            {isTitle(shown.goal, approval) ? null : (
              <div className={css.question}>
                <Markdown text={visibleText(shown.goal)} />
              </div>
            )}
            {detail.error ? <OutOfDate error={detail.error} onRetry={() => void detail.refetch()} /> : null}
            <ProposalFacts detail={shown} />
          </>
        ) : detail.error ? (
          <Failed error={detail.error} onRetry={() => void detail.refetch()} />
        ) : (
          <Loading />
        )}
      </div>
      <AskActions
        approval={approval}
        deciding={deciding}
        yes={{
          label: t.approve,
          ...(shown && { hint: t.approveStarts(shown.proposal.tickets.length) }),
          run: () => run(() => ask(at.approve.$post({ param, json: { revision } }))),
        }}
        refusals={[
          {
            ...{ label: t.changes, verb: t.changesNow, hint: t.changesHint, needed: t.changesNeeded },
            ...{ tone: 'primary' },
            send: (reason) =>
              run(() => ask(at['request-changes'].$post({ param, json: { revision, reason } }))),
          },
          {
            ...{ label: t.reject, verb: t.rejectNow, hint: t.rejectHint, needed: t.reasonNeeded },
            ...{ tone: 'danger' },
            send: (reason) => run(() => ask(at.reject.$post({ param, json: { reason } }))),
          },
        ]}
      />
    </>
  );
}
