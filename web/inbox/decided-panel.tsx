import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { draftOf, dropDraft } from '../composer/drafts.ts';
import { Outcome } from '../conversation/cards/outcome.tsx';
import { Markdown } from '../conversation/markdown.tsx';
import { useNames } from '../conversation/names.ts';
import { useText } from '../i18n/text.ts';
import { inboxQuery } from '../shell/shell-queries.ts';
import { useMe } from '../shell/use-me.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { visibleText } from '../ui/visible-text.ts';
import { AskedAction } from './asked-action.tsx';
import css from './preview.module.css';
import { kindOf, type WaitingApproval } from './queue.ts';
import { inboxText } from './text.ts';
import { useStanding } from './use-deciding.ts';
import { answerKey, reasonKey, sumKey } from './written.ts';

/** What became of it, and what this person had written when somebody else was first. */
export function DecidedPanel({ ws, approval }: { ws: string; approval: WaitingApproval }) {
  const t = useText(inboxText);
  const me = useMe();
  const nameOf = useNames(ws);
  const { wasLate } = useStanding(approval.id);
  const { decidedBy } = approval;
  const successor = useSuccessor(ws, approval);
  const isMine = decidedBy !== null && decidedBy === me.actor;
  const written = [answerKey(approval), reasonKey(approval), sumKey(approval)].filter(
    (key) => draftOf(key).text !== '',
  );
  return (
    <div className={css.body}>
      {wasLate ? (
        <p className={css.warning} role="alert">
          {decidedBy === null ? t.wasLateGone : t.wasLate(nameOf(decidedBy).name)}
        </p>
      ) : null}
      <Outcome ws={ws} approval={approval} />
      <WhatWasAsked approval={approval} />
      {successor === null ? null : (
        <p>
          {t.newRevision} <Link href={`/inbox/${successor}`}>{t.openNew}</Link>
        </p>
      )}
      {isMine || successor !== null ? null : written.map((key) => <Written key={key} draftKey={key} />)}
    </div>
  );
}

/** The request for the next revision of the same proposal; what was written for this one stands there. */
function useSuccessor(ws: string, { id, kind, arguments: asked }: WaitingApproval): string | null {
  const waiting = useQuery(inboxQuery(ws)).data?.items ?? [];
  if (kind !== 'orchestration') return null;
  const next = waiting.find(
    (one) => one.id !== id && one.arguments.orchestrationId === asked.orchestrationId,
  );
  return next?.id ?? null;
}

/** What it was about; a proposal is whole in Plan Studio alone. */
function WhatWasAsked({ approval }: { approval: WaitingApproval }) {
  switch (kindOf(approval)) {
    case 'action':
      return <AskedAction approval={approval} />;
    case 'question':
      return <Markdown text={visibleText(String(approval.arguments.question ?? approval.subject))} />;
    case 'planExit':
      return <Markdown text={visibleText(String(approval.arguments.summary ?? ''))} />;
    default:
      return null;
  }
}

function Written({ draftKey }: { draftKey: string }) {
  const t = useText(inboxText);
  const { text } = draftOf(draftKey);
  return (
    <div className={css.written}>
      <h3>{t.youWrote}</h3>
      <p>{text}</p>
      <div className={css.buttons}>
        <CopyButton label={t.copyWritten} text={() => text} />
        <Button kind="quiet" onClick={() => dropDraft(draftKey)}>
          {t.discard}
        </Button>
      </div>
    </div>
  );
}
