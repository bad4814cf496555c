import { useQuery } from '@tanstack/react-query';
import type { AuditEntry } from '../../services/spaces/audit/audit.ts';
import { useNames } from '../conversation/names.ts';
import { count, dateTime } from '../i18n/format.ts';
import { plural, texts, useText } from '../i18n/text.ts';
import { agentsQuery } from '../shell/shell-queries.ts';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { visibleText } from '../ui/visible-text.ts';
import { changesOf, type FieldChange, isProse } from './agent-change.ts';
import css from './agent-history.module.css';
import { useAgentChanges } from './agent-history.ts';
import { agentText } from './agent-words.ts';
import { FailedLooks } from './failed-looks.tsx';
import { formText } from './form-text.ts';
import { OlderItems } from './older-items.tsx';
import { ValueChange } from './value-change.tsx';

const words = texts(
  {
    list: 'Changes, the newest first',
    made: 'made this agent',
    changed: 'changed',
    changedOther: 'changed this agent',
    overMcp: 'over MCP',
    before: 'before',
    after: 'after',
    noValues: 'what it was is not in the log',
    text: (n: string) => `text of ${n} characters`,
    proseHint:
      'Of long texts the log keeps the length and a digest, never the text: the same digest is the same text.',
    none: 'No changes in the log',
    noneHint: 'Who changes this agent, and what, is kept here from the first change on.',
    older: 'Show older changes',
    shown: (n: number) => `${plural(n, 'change', 'changes')} shown`,
    all: (n: number) => (n === 1 ? 'This is the only change.' : `These are all ${n} changes.`),
  },
  {
    list: 'Modifications, la plus récente d’abord',
    made: 'a créé cet agent',
    changed: 'a modifié',
    changedOther: 'a modifié cet agent',
    overMcp: 'par MCP',
    before: 'avant',
    after: 'après',
    noValues: 'l’ancienne valeur n’est pas au journal',
    text: (n: string) => `texte de ${n} caractères`,
    proseHint:
      'Des longs textes, le journal garde la longueur et une empreinte, jamais le texte\u202f: même empreinte, même texte.',
    none: 'Aucune modification au journal',
    noneHint: 'Qui modifie cet agent, et quoi, est gardé ici dès la première modification.',
    older: 'Afficher les modifications plus anciennes',
    shown: (n: number) => plural(n, 'modification affichée', 'modifications affichées'),
    all: (n: number) => (n === 1 ? 'C’est la seule modification.' : `Ce sont les ${n} modifications.`),
  },
);

/** Who changed what of an agent, when, and from what to what. */
export function AgentChangesTab({ ws, agentId }: { ws: string; agentId: string }) {
  const t = useText(words);
  const list = useAgentChanges(ws, agentId);
  if (list.error && !list.data) return <Failed error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return <Loading />;
  const items = list.data.pages.flatMap((page) => page.items);
  if (items.length === 0)
    return (
      <Empty title={t.none}>
        <p>{t.noneHint}</p>
      </Empty>
    );
  const hasProse = items.some((entry) =>
    changesOf(entry).some(({ values }) => values && (isProse(values.from) || isProse(values.to))),
  );
  return (
    <>
      <FailedLooks looks={[list]} />
      {hasProse ? <p className={css.soft}>{t.proseHint}</p> : null}
      <ol className={css.entries} aria-label={t.list}>
        {items.map((entry) => (
          <Entry key={entry.seq} ws={ws} entry={entry} />
        ))}
      </ol>
      <OlderItems
        list={list}
        label={t.older}
        count={list.hasNextPage ? t.shown(items.length) : t.all(items.length)}
      />
    </>
  );
}

function Entry({ ws, entry }: { ws: string; entry: AuditEntry }) {
  const t = useText(words);
  const fields = useText(formText).fields;
  const nameOf = useNames(ws);
  const changes = changesOf(entry);
  const what = entry.action === 'agent.created' ? t.made : changes.length > 0 ? t.changed : t.changedOther;
  return (
    <li className={css.entry}>
      <p className={css.who}>
        <strong>{visibleText(nameOf(entry.actor).name)}</strong>
        <span>
          {what}
          {entry.source?.via === 'mcp' ? ` ${t.overMcp}` : null}
        </span>
        <time dateTime={new Date(entry.at).toISOString()}>{dateTime(entry.at)}</time>
      </p>
      {changes.length > 0 ? (
        <dl className={css.changes}>
          {changes.map((change) => (
            <div key={change.field}>
              <dt>{fields[change.field]}</dt>
              <dd>
                <Values ws={ws} change={change} />
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </li>
  );
}

function Values({ ws, change: { field, values } }: { ws: string; change: FieldChange }) {
  const t = useText(words);
  const form = useText(formText);
  const common = useText(agentText);
  const agents = useQuery(agentsQuery(ws)).data?.items;
  if (values === null) return <span className={css.soft}>{t.noValues}</span>;
  const say = (value: typeof values.from) => {
    if (value === null || value === '' || (Array.isArray(value) && value.length === 0))
      return field === 'reportsTo' ? common.nobody : form.unset;
    if (isProse(value))
      return (
        <>
          {t.text(count(value.characters))} <code>{value.digest}</code>
        </>
      );
    if (typeof value === 'number') return count(value);
    if (typeof value !== 'string') return value.join(', ');
    return visibleText((field === 'reportsTo' && agents?.find(({ id }) => id === value)?.name) || value);
  };
  return <ValueChange words={t} from={say(values.from)} to={say(values.to)} />;
}
