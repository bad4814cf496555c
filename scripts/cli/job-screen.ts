import type { WorkspaceEvent } from '../../services/kit/database/event-log.ts';
import { createAgentNames } from './agent-names.ts';
import type { Client } from './client/client.ts';
import type { JobProgress, JobState } from './job/job.ts';
import { eventLine } from './render/event-line.ts';
import { spentText, stepTable } from './render/step-table.ts';
import type { Terminal } from './terminal.ts';

export interface JobScreen {
  onProgress(progress: JobProgress): void;
  /** Holds back what happens meanwhile, so that a prompt stands still. */
  during<T>(prompt: () => Promise<T>): Promise<T>;
  /** The name of the agent, member or service that acts. */
  nameOf(actor: string): string;
  workspaceId(): string | null;
  orchestrationId(): string | null;
  close(): void;
}

const REPAINT_MS = 1_000;

/** Shows a job as it goes: lines for what happens and, on a terminal, the table of steps at the foot. */
export function createJobScreen(terminal: Terminal, client: Client): JobScreen {
  const names = createAgentNames(client);
  const paint = terminal.notePaint;
  const started = new Set<string>();
  let workspaceId: string | null = null;
  let state: JobState | null = null;
  let held: JobProgress[] | null = null;

  const show = () => held === null && terminal.live.show(footOf(state));
  const footOf = (shown: JobState | null) => {
    const orchestration = shown?.orchestration;
    if (!orchestration || orchestration.steps.length === 0) return '';
    const spent = spentText(orchestration.spentMicros, orchestration.costUnknown);
    return `${stepTable(orchestration.steps, paint, Date.now())}\nspent ${spent}, ${orchestration.status}`;
  };
  const learnNames = (progress: JobProgress) => {
    if (progress.type === 'started') workspaceId = progress.workspaceId;
    if (workspaceId === null) return;
    if (progress.type === 'event') names.learn(workspaceId, agentIdsOf(progress.event.actor));
    if (progress.type !== 'state') return;
    names.learn(
      workspaceId,
      (progress.state.orchestration?.steps ?? []).flatMap((step) => step.agentId ?? []),
    );
  };
  const tell = (progress: JobProgress) => {
    if (progress.type === 'interrupted') terminal.note(paint.yellow('The server went away; waiting for it…'));
    if (progress.type !== 'event' || isRepeated(progress.event, started)) return;
    const line = eventLine(progress.event, names.of, paint);
    if (line !== null) terminal.note(line);
  };
  const timer = setInterval(show, REPAINT_MS);
  return {
    onProgress(progress) {
      if (progress.type !== 'state') terminal.event({ ...progress });
      learnNames(progress);
      if (progress.type === 'state') state = progress.state;
      else if (held) held.push(progress);
      else tell(progress);
      show();
    },
    async during(prompt) {
      terminal.live.clear();
      held = [];
      try {
        return await prompt();
      } finally {
        const missed: JobProgress[] = held ?? [];
        held = null;
        for (const progress of missed) tell(progress);
      }
    },
    nameOf: (actor) => agentIdsOf(actor).map(names.of)[0] ?? actor,
    workspaceId: () => workspaceId,
    orchestrationId: () => state?.orchestration?.id ?? null,
    close() {
      clearInterval(timer);
      terminal.live.clear();
    },
  };
}

function agentIdsOf(actor: string): string[] {
  return actor.startsWith('agent:') ? [actor.slice('agent:'.length)] : [];
}

/** A step starts again each time it has waited; that is told once an attempt. */
function isRepeated({ type, data }: WorkspaceEvent, started: Set<string>): boolean {
  if (type !== 'step.started') return false;
  const start = `${String(data.key)} ${String(data.attempt)} ${String(data.round)}`;
  const isKnown = started.has(start);
  started.add(start);
  return isKnown;
}
