import { ExternalLink } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import type { ApprovalArguments } from '../../services/spaces/approvals/schema.ts';
import { isOpen } from '../conversation/cards/approval-data.ts';
import { effectText } from '../conversation/cards/text.ts';
import { useText } from '../i18n/text.ts';
import { useKeys } from '../keys/registry.ts';
import { Age } from './age.tsx';
import { askText } from './ask-text.ts';
import { KindIcon } from './kind-icon.tsx';
import { listed } from './listed.ts';
import { Onlookers } from './onlookers.tsx';
import css from './preview.module.css';
import { PutOff } from './put-off.tsx';
import { kindOf, type WaitingApproval } from './queue.ts';
import { subjectOf } from './subject.ts';
import { inboxText } from './text.ts';
import { usePlaceOf } from './use-space-name.ts';

interface PreviewHeadProps {
  ws: string;
  approval: WaitingApproval;
  /** This person has put it off. */
  onDone(): void;
}

/** What is asked in one line, by whom, where and since when, and the way there. */
export function PreviewHead({ ws, approval, onDone }: PreviewHeadProps) {
  const t = useText(inboxText);
  const title = useTitle(approval);
  const kind = kindOf(approval);
  const { agentName, spaceName, runId, spaceId, conversationId, createdAt } = approval;
  const place = usePlaceOf(ws)(spaceId, conversationId);
  const [, navigate] = useLocation();
  const studio = studioOf(approval);
  const first = studio ?? place ?? (runId === null ? null : `/runs/${runId}`);
  useKeys([
    {
      ...{ keys: 'o', label: t.openKey, group: t.group, when: () => first !== null },
      run: () => first !== null && navigate(first),
    },
  ]);
  return (
    <header className={css.head}>
      <p className={css.kind}>
        <KindIcon kind={kind} /> {t.kinds[kind]}
      </p>
      <h2 tabIndex={-1}>{title}</h2>
      <p className={css.meta}>
        <span>{agentName ?? t.controlCenter}</span>
        <span>{spaceName ?? t.noPlace}</span>
        <Age since={createdAt} />
      </p>
      <div className={css.links}>
        {studio === null ? null : <PlaceLink href={studio} label={t.openStudio} />}
        {place === null ? null : <PlaceLink href={place} label={t.openPlace} />}
        {runId === null ? null : <PlaceLink href={`/runs/${runId}`} label={t.openRun} />}
        {isOpen(approval) ? <PutOff id={approval.id} onDone={onDone} /> : null}
      </div>
      <Onlookers id={approval.id} />
    </header>
  );
}

export function PlaceLink({ href, label }: { href: string; label: string }) {
  return (
    <Link href={href} className={css.link}>
      <ExternalLink size={14} aria-hidden /> {label}
    </Link>
  );
}

function studioOf({ kind, arguments: args }: WaitingApproval): string | null {
  if (kind !== 'orchestration') return null;
  const asked = args as unknown as ApprovalArguments['orchestration'];
  return `/plans/${asked.kind}/${asked.orchestrationId}`;
}

function useTitle(approval: WaitingApproval): string {
  const t = useText(askText);
  const effects = useText(effectText);
  const names = useText(inboxText);
  const who = approval.agentName ?? names.controlCenter;
  const asked = approval.arguments as unknown as ApprovalArguments['action'];
  switch (kindOf(approval)) {
    case 'action':
      if ('reviewId' in asked) return t.wantsPublish(who);
      return t.wants(who, listed(asked.asked.map((effect) => effects[effect] ?? effect)));
    case 'question':
      return t.asks(who);
    case 'budget':
      return t.budgetUp;
    case 'planExit':
      return t.wantsToBegin(who);
    case 'skillOverride':
      return t.override;
    default:
      return subjectOf(approval);
  }
}
