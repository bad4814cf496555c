import { Suspense, useMemo } from 'react';
import { texts, useText } from '../i18n/text.ts';
import { lazyPart } from '../shell/lazy-part.ts';
import { notify } from '../ui/notices.tsx';
import { Loading } from '../ui/states.tsx';
import { stepKeyOf, ticketKeyOf, ticketOf } from './draft-edits.ts';
import { focusField } from './focus-field.ts';
import { Outline } from './outline.tsx';
import css from './plan-screen.module.css';
import { useDesk, useDraft, useIsEditable } from './plan-screen-context.ts';
import { useOnlookersByKey } from './plan-screen-presence.tsx';
import { usePlanUrl } from './plan-screen-url.ts';
import { useShownView } from './plan-screen-view.ts';
import { RevisionNotice } from './revisions-notice.tsx';

const PlanCanvas = lazyPart('canvas', () => import('./canvas.tsx'));

const words = texts(
  { plan: 'Plan', last: 'A plan has at least one sub-ticket: this one stays.' },
  { plan: 'Plan', last: 'Un plan a au moins un sous-ticket : celui-ci reste.' },
);

/** The graph or the outline of what is shown: the draft, an older revision, or what differs between two. */
export function PlanMain() {
  const t = useText(words);
  const { view: kind, node, panel, rev, diff, go } = usePlanUrl();
  const { draft, actions } = useDesk();
  const isEditable = useIsEditable() && rev === null && diff === null;
  const view = useShownView(isEditable);
  const chosen = useDraft((state) => state.chosen);
  const chosenKeys = useMemo(() => new Set([...chosen].map(stepKeyOf)), [chosen]);
  const shown = {
    ...{ view, isEditable, selectedKey: node },
    onSelect: (key: string | null) => go({ node: key }),
    onOpen: (key: string, field = 'title') => {
      go({ node: key, panel: 'details' });
      focusField(`${key} ${field}`);
    },
    onDelete: (key: string) => {
      const ticketKey = ticketKeyOf(key);
      if (draft.getState().proposal.tickets.length === 1) return notify(t.last);
      if (ticketKey) actions.remove(ticketKey);
      if (key === node) go({ node: null });
    },
  };
  const needsOf = (key: string) => ticketOf(draft.getState().proposal, key)?.needs ?? [];
  const connect = (from: string, to: string, isNeeded: boolean) => {
    const [need, key] = [ticketKeyOf(from), ticketKeyOf(to)];
    if (!need || !key) return;
    const others = needsOf(key).filter((one) => one !== need);
    actions.edit(key, { needs: isNeeded ? [...others, need] : others });
  };
  const onlookers = useOnlookersByKey();
  const isChoosing = panel === 'part' || panel === 'deferred';
  return (
    <section className={css.main} aria-label={t.plan}>
      <RevisionNotice />
      <div className={css.stage}>
        {kind === 'outline' ? (
          <Outline {...shown} />
        ) : (
          <Suspense fallback={<Loading />}>
            <PlanCanvas
              {...shown}
              onOpen={(key) => shown.onOpen(key)}
              onConnect={(from, to) => connect(from, to, true)}
              onDisconnect={(from, to) => connect(from, to, false)}
              chosenKeys={isChoosing ? chosenKeys : null}
              onlookers={onlookers}
            />
          </Suspense>
        )}
      </div>
    </section>
  );
}
