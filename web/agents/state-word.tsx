import { Link } from 'wouter';
import { ago } from '../i18n/format.ts';
import { useText } from '../i18n/text.ts';
import { useFamilyWords } from '../ui/error-family.ts';
import { Status } from '../ui/status.tsx';
import type { StatusWord } from '../ui/status-words.ts';
import { useNow } from '../ui/use-now.ts';
import { agentText } from './agent-words.ts';
import css from './agents.module.css';
import type { LiveState, RosterRow } from './roster.ts';

const STATUS: Record<LiveState, StatusWord> = {
  running: 'running',
  blocked: 'blocked',
  failed: 'failed',
  idle: 'idle',
  neverRun: 'pending',
};

/** How an agent stands, derived from its last run; null while that is not known. */
export function LiveStateWord({ state }: { state: LiveState | null }) {
  const t = useText(agentText);
  if (state === null) return <Status status="offline" label={t.unknown} />;
  return <Status status={STATUS[state]} label={t.states[state]} />;
}

/** How an agent stands, and what is wrong where something is, with the way to the run. */
export function AgentState({ row }: { row: RosterRow | undefined }) {
  const t = useText(agentText);
  const now = useNow();
  const wordsOf = useFamilyWords();
  const { state = null, runId = null, errorFamily = null, resumeAt = null } = row ?? {};
  const isOff = (state === 'failed' || state === 'blocked') && runId !== null;
  return (
    <span className={css.step}>
      <LiveStateWord state={state} />
      {isOff ? (
        <Link href={`/runs/${runId}`} className={css.last}>
          {errorFamily === null ? t.openRun : wordsOf(errorFamily).label}
        </Link>
      ) : null}
      {isOff && resumeAt !== null ? (
        <span className={css.soft}>{t.goesOn(ago(resumeAt, Math.min(now, resumeAt)))}</span>
      ) : null}
    </span>
  );
}
