import { Info, MessageSquareQuote, PackageCheck, ScanSearch } from 'lucide-react';
import { Link } from 'wouter';
import type { Message } from '../../../services/spaces/messages/schema.ts';
import { useText } from '../../i18n/text.ts';
import { Badge } from '../../ui/badge.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Markdown } from '../markdown.tsx';
import { FamilyLine } from '../runs/family-line.tsx';
import { Card } from './card.tsx';
import css from './cards.module.css';
import { cardText } from './text.ts';

interface MadeProps {
  ws: string;
  message: Message;
}

/** What the work came to. */
export function DeliverableCard({ message: { body, data } }: MadeProps) {
  const t = useText(cardText);
  const gaps = Array.isArray(data.gaps) ? data.gaps.length : 0;
  return (
    <Card
      icon={<PackageCheck size={16} />}
      title={<strong>{t.deliverable}</strong>}
      aside={
        <>
          <Badge tone={gaps > 0 ? 'warn' : 'good'}>{gaps > 0 ? t.gaps(gaps) : t.noGaps}</Badge>
          <CopyButton isIcon text={() => body} />
        </>
      }
      actions={
        typeof data.orchestrationId === 'string' ? (
          <Link href={`/plans/orchestration/${data.orchestrationId}`}>{t.openWork}</Link>
        ) : null
      }
    >
      <Markdown text={body} />
    </Card>
  );
}

/** Where one of the team stands before the work begins. */
export function PositionCard({ message: { body, data } }: MadeProps) {
  const t = useText(cardText);
  return (
    <Card
      icon={<MessageSquareQuote size={16} />}
      title={<strong>{typeof data.role === 'string' ? t.positionAs(data.role) : t.position}</strong>}
    >
      <Markdown text={body} />
    </Card>
  );
}

/** Something that people have to know of. Of a run that came to trouble, the run itself has the button. */
export function NoticeLine({ message: { body, data } }: Pick<MadeProps, 'message'>) {
  const { errorFamily: family } = data;
  return (
    <div className={css.notice}>
      <Info size={16} aria-hidden className={css.icon} />
      {typeof family === 'string' ? (
        <FamilyLine family={family} detail={body.replace(` (${family})`, '')} isMendTold />
      ) : (
        <Markdown text={body} />
      )}
    </div>
  );
}

/** What a review came to, in a line; its findings open below. */
export function ReviewCard({ message: { body, data } }: MadeProps) {
  const t = useText(cardText);
  const verdicts: Record<string, string> = t.verdicts;
  const findings = Array.isArray(data.findings) ? (data.findings as { priority?: string }[]) : [];
  const counts = new Map<string, number>();
  for (const { priority = '' } of findings) counts.set(priority, (counts.get(priority) ?? 0) + 1);
  const verdict = String(data.verdict ?? '');
  return (
    <Card
      icon={<ScanSearch size={16} />}
      title={<strong>{t.reviewOf(`${String(data.repository ?? '')}#${String(data.number ?? '')}`)}</strong>}
      aside={<Badge tone={verdict === 'approve' ? 'good' : 'warn'}>{verdicts[verdict] ?? verdict}</Badge>}
    >
      <p className={css.line}>
        <span>{findings.length === 0 ? t.noFindings : t.findings(findings.length)}</span>
        {[...counts].sort().map(([priority, n]) => (
          <span key={priority}>
            {priority} × {n}
          </span>
        ))}
      </p>
      <details className={css.more}>
        <summary>{t.showReview}</summary>
        <Markdown text={body} />
      </details>
    </Card>
  );
}
