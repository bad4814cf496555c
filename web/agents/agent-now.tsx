import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { ago } from '../i18n/format.ts';
import { texts, useText } from '../i18n/text.ts';
import { activityOf, activityText } from '../shell/presence-words.ts';
import { spacesQuery } from '../shell/shell-queries.ts';
import { Status } from '../ui/status.tsx';
import { useNow } from '../ui/use-now.ts';
import { visibleText } from '../ui/visible-text.ts';
import { agentText } from './agent-words.ts';
import css from './agents.module.css';
import type { AgentHere } from './roster.ts';

const words = texts(
  {
    decide: 'Decide',
    also: (n: number) => (n === 1 ? 'and 1 more run' : `and ${n} more runs`),
    done: (when: string) => `last active ${when}`,
  },
  {
    decide: 'Décider',
    also: (n: number) => (n === 1 ? 'et une autre exécution' : `et ${n} autres exécutions`),
    done: (when: string) => `dernière activité : ${when}`,
  },
);

type Activity = Exclude<NonNullable<AgentHere['activity']>, { state: 'neverRun' }>;

/** What an agent is about this moment, in words. */
export function AgentNow({ here }: { here: AgentHere | undefined }) {
  const t = useText(activityText);
  const { status, label } = activityOf(here?.activity ?? null, t);
  return <Status status={status} label={label} />;
}

/** The run that it is about, where that is, and since when. */
export function AgentStep({ ws, here }: { ws: string; here: AgentHere | undefined }) {
  const activity = here?.activity;
  if (!activity || activity.state === 'neverRun') return null;
  return <Step ws={ws} activity={activity} also={here.also.filter(({ state }) => state !== 'done').length} />;
}

function Step({ ws, activity, also }: { ws: string; activity: Activity; also: number }) {
  const t = useText(words);
  const common = useText(agentText);
  const now = useNow();
  const spaces = useQuery(spacesQuery(ws)).data?.items;
  const { state, runId, spaceId, approvalId, since } = activity;
  const space = spaces?.find(({ id }) => id === spaceId)?.name;
  const when = ago(since, Math.max(now, since));
  return (
    <span className={css.step}>
      {state === 'done' ? (
        <Link href={`/runs/${runId}`} className={css.last}>
          {t.done(when)}
        </Link>
      ) : (
        <>
          {state === 'waitingForApproval' && approvalId !== null ? (
            <Link href={`/inbox/${approvalId}`}>{t.decide}</Link>
          ) : (
            <Link href={`/runs/${runId}`}>{space === undefined ? common.openRun : visibleText(space)}</Link>
          )}
          <span className={css.soft}>{when}</span>
        </>
      )}
      {also > 0 ? <span className={css.soft}>{t.also(also)}</span> : null}
    </span>
  );
}
