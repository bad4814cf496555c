import { ArrowLeft } from 'lucide-react';
import { type RefObject, useEffect, useRef } from 'react';
import type { Approval } from '../../services/spaces/approvals/schema.ts';
import { isOpen, useApproval } from '../conversation/cards/approval-data.ts';
import { useNames } from '../conversation/names.ts';
import { useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { AskPanel } from './ask-panel.tsx';
import { DecidedPanel } from './decided-panel.tsx';
import { FailurePreview } from './failure-preview.tsx';
import { useFocus } from './focus.ts';
import css from './preview.module.css';
import { PlaceLink, PreviewHead } from './preview-head.tsx';
import type { QueueItem, WaitingApproval } from './queue.ts';
import { inboxText } from './text.ts';
import { useDeciding } from './use-deciding.ts';
import { useSpaceName } from './use-space-name.ts';

interface PreviewProps {
  ws: string;
  id: string;
  /** As the queue has it; null for one that is not in it any more. */
  item: QueueItem | null;
  isLoaded: boolean;
  /** Back to the list, where there is no room for both. */
  onBack: (() => void) | null;
  /** It takes the place of another that was decided: what had the focus there is gone. */
  takesFocus: boolean;
  /** This person has dealt with it. */
  onDone(): void;
}

/** One item with all that is needed to decide it. */
export function Preview({ ws, id, item, isLoaded, onBack, takesFocus, onDone }: PreviewProps) {
  const t = useText(inboxText);
  const article = useRef<HTMLElement>(null);
  useFocusKept(article, takesFocus);
  return (
    <article ref={article} className={css.article}>
      {onBack ? (
        <Button kind="quiet" className={css.back as string} onClick={onBack}>
          <ArrowLeft size={15} aria-hidden /> {t.back}
        </Button>
      ) : null}
      {item?.isFailure ? (
        <FailurePreview ws={ws} trouble={item.trouble} kind={item.kind} onDone={onDone} />
      ) : item ? (
        <ApprovalPreview ws={ws} approval={item.approval} onDone={onDone} />
      ) : isLoaded && id.startsWith('run_') ? (
        <Empty title={t.mended}>
          <PlaceLink href={`/runs/${id}`} label={t.openRun} />
        </Empty>
      ) : isLoaded ? (
        <GonePreview ws={ws} id={id} onDone={onDone} />
      ) : (
        <Loading />
      )}
    </article>
  );
}

/** What had the focus has gone with the item before: whoever decides by keyboard goes on in the next. */
function useFocusKept(article: RefObject<HTMLElement | null>, isWanted: boolean): void {
  useEffect(() => {
    const { activeElement } = document;
    const isLost = activeElement === null || activeElement === document.body;
    if (isWanted && isLost) article.current?.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true });
  }, [article, isWanted]);
}

function ApprovalPreview({
  ws,
  approval,
  onDone,
}: {
  ws: string;
  approval: WaitingApproval;
  onDone(): void;
}) {
  useFocus(ws, `approval:${approval.id}`);
  const deciding = useDeciding(ws, approval, onDone);
  return (
    <>
      <PreviewHead ws={ws} approval={approval} onDone={onDone} />
      {isOpen(approval) ? (
        <AskPanel ws={ws} approval={approval} deciding={deciding} />
      ) : (
        <DecidedPanel ws={ws} approval={approval} />
      )}
    </>
  );
}

/** Reached by a link, or decided a while ago: it is looked up by itself. */
function GonePreview({ ws, id, onDone }: { ws: string; id: string; onDone(): void }) {
  const approval = useApproval(ws, id);
  const named = useNamed(ws, approval.data);
  if (approval.error && !approval.data)
    return <Failed error={approval.error} onRetry={() => void approval.refetch()} />;
  if (!named) return <Loading />;
  return <ApprovalPreview ws={ws} approval={named} onDone={onDone} />;
}

function useNamed(ws: string, approval: Approval | undefined): WaitingApproval | null {
  const nameOf = useNames(ws);
  const spaceName = useSpaceName(ws, approval?.spaceId ?? null);
  if (!approval) return null;
  const { kind, name } = nameOf(approval.requester);
  return { ...approval, agentName: kind === 'agent' ? name : null, spaceName };
}
