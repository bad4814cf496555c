import { useText } from '../i18n/text.ts';
import { Status } from '../ui/status.tsx';
import type { StatusWord } from '../ui/status-words.ts';
import { agentText } from './agent-words.ts';
import type { LiveState } from './roster.ts';

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
