import { History, MessageSquare, Network, Redo2, Rows3, Undo2 } from 'lucide-react';
import { useStore } from 'zustand';
import { texts, useText } from '../i18n/text.ts';
import { useMe } from '../shell/use-me.ts';
import { Badge } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Status } from '../ui/status.tsx';
import { stepKeyOf } from './draft-edits.ts';
import css from './plan-screen.module.css';
import { useDesk, useDraft, useEstimate, useIsEditable, useProposal } from './plan-screen-context.ts';
import { planMarkdown } from './plan-screen-markdown.ts';
import { PlanOnlookers } from './plan-screen-presence.tsx';
import { planState, statusLabels, statusWord } from './plan-screen-status.ts';
import { usePlanUrl } from './plan-screen-url.ts';

const words = texts(
  {
    revision: (n: number) => `Revision ${n}`,
    undo: 'Undo',
    redo: 'Redo',
    graph: 'Graph',
    outline: 'Outline',
    view: 'View',
    revisions: 'Revisions',
    talk: 'Conversation',
    saved: 'Saved',
    unsaved: 'Unsaved edits',
    saving: 'Saving…',
    failed: 'Not saved.',
    faulty: 'Not saved: mend what is marked first.',
    again: 'Try again',
    show: 'Show it',
    discard: 'Discard my edits',
  },
  {
    revision: (n: number) => `Révision ${n}`,
    undo: 'Annuler',
    redo: 'Rétablir',
    graph: 'Graphe',
    outline: 'Liste',
    view: 'Vue',
    revisions: 'Révisions',
    talk: 'Conversation',
    saved: 'Enregistré',
    unsaved: 'Modifications non enregistrées',
    saving: 'Enregistrement…',
    failed: 'Non enregistré.',
    faulty: 'Non enregistré : corrigez d’abord ce qui est signalé.',
    again: 'Réessayer',
    show: 'Afficher',
    discard: 'Abandonner mes modifications',
  },
);

export function PlanHeader() {
  const t = useText(words);
  const labels = useText(statusLabels);
  const { detail } = useDesk();
  const { view, panel, hasTalk, go } = usePlanUrl();
  const base = useDraft((state) => state.base.revision);
  const isProposed = detail.status === 'proposed';
  const { cannotChange } = useMe();
  const said = useDraft((state) => state.said);
  const proposal = useProposal();
  const estimate = useEstimate(proposal);
  const [firstLine = ''] = proposal.goal.split('\n');
  return (
    <header className={css.header}>
      <h1 className={css.title} title={firstLine}>
        {firstLine}
      </h1>
      <Status status={statusWord(detail)} label={labels[planState(detail)]} />
      <Badge>{t.revision(isProposed ? base : (detail.approvedRevision ?? detail.revision))}</Badge>
      {isProposed && cannotChange === null ? <SaveState /> : null}
      <p className="visually-hidden" role="status">
        {said} {labels[planState(detail)]}
      </p>
      <PlanOnlookers />
      <div className={css.tools}>
        {isProposed && cannotChange === null ? <UndoRedo /> : null}
        <fieldset className={css.switch} aria-label={t.view}>
          <Button kind="quiet" aria-pressed={view === 'graph'} onClick={() => go({ view: 'graph' })}>
            <Network size={15} aria-hidden /> {t.graph}
          </Button>
          <Button kind="quiet" aria-pressed={view === 'outline'} onClick={() => go({ view: 'outline' })}>
            <Rows3 size={15} aria-hidden /> {t.outline}
          </Button>
        </fieldset>
        <Button
          kind="quiet"
          title={t.revisions}
          aria-pressed={panel === 'revisions'}
          onClick={() => go({ panel: panel === 'revisions' ? 'details' : 'revisions' })}
        >
          <History size={15} aria-hidden /> <span className={css.word}>{t.revisions}</span>
        </Button>
        <Button kind="quiet" title={t.talk} aria-pressed={hasTalk} onClick={() => go({ hasTalk: !hasTalk })}>
          <MessageSquare size={15} aria-hidden /> <span className={css.word}>{t.talk}</span>
        </Button>
        <CopyButton isIcon text={() => planMarkdown(proposal, estimate)} />
      </div>
    </header>
  );
}

function UndoRedo() {
  const t = useText(words);
  const { draft, actions } = useDesk();
  const isEditable = useIsEditable();
  const undoable = useStore(draft.temporal, ({ pastStates }) => pastStates.length > 0) && isEditable;
  const redoable = useStore(draft.temporal, ({ futureStates }) => futureStates.length > 0) && isEditable;
  return (
    <>
      <IconButton
        label={t.undo}
        icon={<Undo2 size={15} aria-hidden />}
        aria-disabled={!undoable || undefined}
        onClick={() => undoable && actions.undo()}
      />
      <IconButton
        label={t.redo}
        icon={<Redo2 size={15} aria-hidden />}
        aria-disabled={!redoable || undefined}
        onClick={() => redoable && actions.redo()}
      />
    </>
  );
}

/** The way to the first field that has to be mended, which may be of another sub-ticket than the one that is open. */
function ShowFault() {
  const t = useText(words);
  const { go } = usePlanUrl();
  const key = useDraft(({ faults, proposal }) => {
    const at = /^tickets\[(\d+)\]/.exec(faults[0]?.path ?? '')?.[1];
    return at === undefined ? null : (proposal.tickets[Number(at)]?.key ?? null);
  });
  if (key === null) return null;
  return <Button onClick={() => go({ node: stepKeyOf(key), panel: 'details' })}>{t.show}</Button>;
}

/** Whether the edits are safe, in words; what failed has its reason and a way to try again. */
function SaveState() {
  const t = useText(words);
  const { saver, actions } = useDesk();
  const save = useDraft((state) => state.save);
  const failure = useDraft((state) => state.failure);
  const isFaulty = useDraft(({ save, faults }) => save === 'unsaved' && faults.length > 0);
  const text = isFaulty ? t.faulty : t[save];
  return (
    <span className={css.save} role="status">
      <span>
        {text} {save === 'failed' && failure instanceof Error ? failure.message : null}
      </span>
      {isFaulty ? <ShowFault /> : null}
      {save === 'failed' ? <Button onClick={() => void saver.flush()}>{t.again}</Button> : null}
      {isFaulty || save === 'failed' ? (
        <Button kind="quiet" onClick={() => actions.discard()}>
          {t.discard}
        </Button>
      ) : null}
    </span>
  );
}
