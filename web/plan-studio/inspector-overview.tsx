import { Suspense } from 'react';
import { Link } from 'wouter';
import type { Proposal } from '../../core-wasm/core.ts';
import { Markdown } from '../conversation/markdown.tsx';
import { useNames } from '../conversation/names.ts';
import { dateTime, money } from '../i18n/format.ts';
import { plural, texts, useText } from '../i18n/text.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import css from './inspector.module.css';
import { useDesk } from './plan-screen-context.ts';

const words = texts(
  {
    plan: 'The plan',
    goal: 'Goal',
    deliverable: 'Deliverable',
    copy: 'Copy the deliverable',
    gaps: 'What is missing',
    roles: 'Roles',
    hire: (name: string) => `${name}, hired at approval`,
    runs: (n: number) => (n === 0 ? 'no completed run yet' : plural(n, 'completed run', 'completed runs')),
    facts: 'About',
    proposedBy: 'Proposed by',
    requestedBy: 'Asked for by',
    at: 'At',
    budget: 'Budget',
    branch: 'Branch',
    places: 'Places',
    from: 'Where it was proposed',
    discussion: 'Discussion of the work',
    work: 'Where the agents work',
    asked: 'Changes requested',
    howTo:
      'Select a node to see and change it. Drag from one node to another to make the second depend on the first.',
  },
  {
    plan: 'Le plan',
    goal: 'Objectif',
    deliverable: 'Résultat',
    copy: 'Copier le résultat',
    gaps: 'Ce qui manque',
    roles: 'Rôles',
    hire: (name: string) => `${name}, recruté à l’approbation`,
    runs: (n: number) =>
      n === 0 ? 'aucune exécution terminée' : plural(n, 'exécution terminée', 'exécutions terminées'),
    facts: 'À propos',
    proposedBy: 'Proposé par',
    requestedBy: 'À la demande de',
    at: 'Le',
    budget: 'Budget',
    branch: 'Branche',
    places: 'Lieux',
    from: 'Où il a été proposé',
    discussion: 'Discussion du travail',
    work: 'Où travaillent les agents',
    asked: 'Modifications demandées',
    howTo:
      'Sélectionnez un nœud pour le voir et le modifier. Tirez d’un nœud à un autre pour créer une dépendance.',
  },
);

/** The plan as a whole: what it is for, what came of it, who does it and where. */
export function InspectorOverview({ proposal }: { proposal: Proposal }) {
  const t = useText(words);
  const { detail } = useDesk();
  return (
    <div className={css.inspector}>
      <h2>{t.plan}</h2>
      {detail.deliverable === null ? null : <Deliverable text={detail.deliverable} gaps={detail.gaps} />}
      {detail.changesRequestedReason ? (
        <section className={css.block} aria-label={t.asked}>
          <h3>{t.asked}</h3>
          <p className={css.prose}>{detail.changesRequestedReason}</p>
        </section>
      ) : null}
      <section className={css.block} aria-label={t.goal}>
        <h3>{t.goal}</h3>
        <p className={css.prose}>{proposal.goal}</p>
        {detail.status === 'proposed' ? <p className={css.soft}>{t.howTo}</p> : null}
      </section>
      <Roles proposal={proposal} />
      <About />
      <Places />
    </div>
  );
}

function Deliverable({ text, gaps }: { text: string; gaps: string[] | null }) {
  const t = useText(words);
  return (
    <section className={css.deliverable} aria-label={t.deliverable}>
      <div className={css.row}>
        <h3>{t.deliverable}</h3>
        <CopyButton isIcon label={t.copy} text={() => text} />
      </div>
      <Suspense fallback={<p className={css.prose}>{text}</p>}>
        <Markdown text={text} />
      </Suspense>
      {gaps && gaps.length > 0 ? (
        <>
          <h4>{t.gaps}</h4>
          <ul className={css.bullets}>
            {gaps.map((gap) => (
              <li key={gap}>{gap}</li>
            ))}
          </ul>
        </>
      ) : null}
    </section>
  );
}

function Roles({ proposal }: { proposal: Proposal }) {
  const t = useText(words);
  const { basis } = useDesk();
  return (
    <section className={css.block} aria-label={t.roles}>
      <h3>{t.roles}</h3>
      <ul className={css.plainList}>
        {proposal.roles.map(({ key, title, agent }) => {
          const runs = 'existing' in agent ? basis?.roles[key]?.runs : undefined;
          return (
            <li key={key}>
              {title}{' '}
              <span className={css.soft}>
                {'existing' in agent ? `@${agent.existing}` : t.hire(`@${agent.hire.name}`)}
                {runs === undefined ? null : ` · ${t.runs(runs)}`}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function About() {
  const t = useText(words);
  const { ws, detail } = useDesk();
  const names = useNames(ws);
  const facts: [string, string][] = [
    [t.proposedBy, names(detail.proposedBy).name],
    ...(detail.requestedBy ? [[t.requestedBy, names(detail.requestedBy).name] as [string, string]] : []),
    [t.at, dateTime(detail.createdAt)],
    [t.budget, money(detail.budgetMicros)],
    ...(detail.branch ? [[t.branch, detail.branch] as [string, string]] : []),
  ];
  return (
    <section className={css.block} aria-label={t.facts}>
      <h3>{t.facts}</h3>
      <dl className={css.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Places() {
  const t = useText(words);
  const { detail } = useDesk();
  const message = detail.messageId ? `?m=${detail.messageId}` : '';
  const places: [string, string | null][] = [
    [t.from, `/spaces/${detail.spaceId}${message}`],
    [t.discussion, detail.discussionSpaceId && `/spaces/${detail.discussionSpaceId}`],
    [t.work, detail.workSpaceId && `/spaces/${detail.workSpaceId}`],
  ];
  return (
    <nav className={css.block} aria-label={t.places}>
      <h3>{t.places}</h3>
      <ul className={css.plainList}>
        {places.map(([name, href]) => (href ? <li key={name}>{<Link href={href}>{name}</Link>}</li> : null))}
      </ul>
    </nav>
  );
}
