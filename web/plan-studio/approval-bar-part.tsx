import { useEffect, useMemo, useState } from 'react';
import type { ProposedTicket } from '../../core-wasm/core.ts';
import { plural, texts, useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import css from './approval-bar.module.css';
import { ApprovalConfirmation } from './approval-bar-confirm.tsx';
import { useApprovalObstacle, useIsViewer } from './approval-bar-obstacle.ts';
import { withNeeds, withoutDependents } from './draft-edits.ts';
import inspector from './inspector.module.css';
import { InspectorHead } from './inspector-head.tsx';
import { useDesk, useDraft, useProposal } from './plan-screen-context.ts';
import { plans, usePlanAction } from './plan-screen-data.ts';
import { usePlanUrl } from './plan-screen-url.ts';

const words = texts(
  {
    part: 'Approve a part',
    deferred: 'Approve what was deferred',
    how: 'What you tick starts now; the rest waits until you approve it too. Ticking one also ticks what it depends on.',
    find: 'Find',
    all: 'All',
    none: 'None',
    needs: (titles: string) => `Depends on ${titles}`,
    approve: (n: number, of: number) => `Approve ${n} of ${of}…`,
    approveDeferred: (n: number) => `Approve ${n}`,
    nothing: 'Tick at least one sub-ticket',
    viewer: 'You may look at this plan, not decide about it',
    approved: (n: number) => `${plural(n, 'sub-ticket is', 'sub-tickets are')} approved.`,
    left: 'Nothing is deferred any more.',
    list: 'Sub-tickets',
  },
  {
    part: 'Approuver une partie',
    deferred: 'Approuver ce qui est différé',
    how: 'Ce que vous cochez démarre maintenant ; le reste attend votre approbation. Cocher un sous-ticket coche aussi ce dont il dépend.',
    find: 'Chercher',
    all: 'Tous',
    none: 'Aucun',
    needs: (titles: string) => `Dépend de ${titles}`,
    approve: (n: number, of: number) => `Approuver ${n} sur ${of}…`,
    approveDeferred: (n: number) => `Approuver ${n}`,
    nothing: 'Cochez au moins un sous-ticket',
    viewer: 'Vous pouvez consulter ce plan, pas le décider',
    approved: (n: number) => plural(n, 'sous-ticket est approuvé.', 'sous-tickets sont approuvés.'),
    left: 'Plus rien n’est différé.',
    list: 'Sous-tickets',
  },
);

/** Ticks of the sub-tickets to approve: now with the rest deferred, or later of those that were. */
export function ApprovalPart({ kind }: { kind: 'part' | 'deferred' }) {
  const t = useText(words);
  const { detail, draft } = useDesk();
  const proposal = useProposal();
  const chosen = useDraft((state) => state.chosen);
  const [text, setText] = useState('');
  const offered = useMemo(
    () =>
      kind === 'part'
        ? proposal.tickets
        : proposal.tickets.filter(({ key }) => detail.deferred.includes(key)),
    [kind, proposal, detail.deferred],
  );
  const known = useMemo(() => new Set(offered.map(({ key }) => key)), [offered]);
  const put = (keys: Iterable<string>) =>
    draft.setState({ chosen: new Set([...keys].filter((key) => known.has(key))) });
  const toggle = (key: string) =>
    put(chosen.has(key) ? withoutDependents(proposal, chosen, key) : withNeeds(proposal, [...chosen, key]));
  useEffect(() => () => draft.setState({ chosen: new Set() }), [draft]);
  // What is ticked may need more since somebody changed the plan.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a tick brings along what it needs by itself
  useEffect(() => {
    const closed = withNeeds(proposal, chosen);
    if (closed.size > chosen.size) put(closed);
  }, [proposal]);
  const ticked = offered.filter(({ key }) => chosen.has(key)).map(({ key }) => key);
  const titles = useMemo(() => new Map(proposal.tickets.map(({ key, title }) => [key, title])), [proposal]);
  const found = offered.filter(({ title }) => title.toLowerCase().includes(text.trim().toLowerCase()));
  return (
    <div className={inspector.inspector}>
      <InspectorHead title={t[kind]} />
      <p className={inspector.soft}>{offered.length === 0 ? t.left : t.how}</p>
      <div className={css.pick}>
        <Field label={t.find}>
          {(control) => (
            <input
              {...control}
              type="search"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <Button onClick={() => put(known)}>{t.all}</Button>
        <Button onClick={() => put([])}>{t.none}</Button>
      </div>
      <ul className={css.ticks} aria-label={t.list}>
        {found.map((ticket) => (
          <Tick
            key={ticket.key}
            {...{ ticket, titles }}
            isTicked={chosen.has(ticket.key)}
            onToggle={() => toggle(ticket.key)}
          />
        ))}
      </ul>
      <div className={css.pickEnd}>
        {kind === 'part' ? <ApproveNow ticked={ticked} /> : <ApproveLater ticked={ticked} />}
      </div>
    </div>
  );
}

function Tick({
  ticket,
  titles,
  isTicked,
  onToggle,
}: {
  ticket: ProposedTicket;
  titles: ReadonlyMap<string, string>;
  isTicked: boolean;
  onToggle(): void;
}) {
  const t = useText(words);
  return (
    <li>
      <label className={css.tick}>
        <input type="checkbox" checked={isTicked} onChange={onToggle} />
        <span>
          {ticket.title}
          {ticket.needs.length > 0 ? (
            <small>{t.needs(ticket.needs.map((need) => titles.get(need) ?? need).join(', '))}</small>
          ) : null}
        </span>
      </label>
    </li>
  );
}

function ApproveNow({ ticked }: { ticked: readonly string[] }) {
  const t = useText(words);
  const { saver, draft } = useDesk();
  const { tickets } = useProposal();
  const obstacle = useApprovalObstacle();
  const [revision, setRevision] = useState<number | null>(null);
  if (revision !== null)
    return (
      <ApprovalConfirmation
        revision={revision}
        tickets={ticked.length === tickets.length ? null : ticked}
        onClose={() => setRevision(null)}
      />
    );
  const ask = async () => {
    if (await saver.flush()) setRevision(draft.getState().base.revision);
  };
  return (
    <Button
      kind="primary"
      data-field="approve part"
      disabledReason={obstacle.approve ?? (ticked.length === 0 ? t.nothing : null)}
      onClick={() => void ask()}
    >
      {t.approve(ticked.length, tickets.length)}
    </Button>
  );
}

function ApproveLater({ ticked }: { ticked: readonly string[] }) {
  const t = useText(words);
  const { ws, detail, draft } = useDesk();
  const { go } = usePlanUrl();
  const isViewer = useIsViewer();
  const approve = usePlanAction(ws, detail.id, async () => {
    await plans.approveDeferred(ws, detail.id, [...ticked]);
    draft.setState({ said: t.approved(ticked.length) });
    go({ panel: 'details' });
  });
  const reason = isViewer ? t.viewer : ticked.length === 0 ? t.nothing : null;
  return (
    <Button
      kind="primary"
      disabledReason={reason}
      isPending={approve.isPending}
      onClick={() => approve.mutate(undefined)}
    >
      {t.approveDeferred(ticked.length)}
    </Button>
  );
}
