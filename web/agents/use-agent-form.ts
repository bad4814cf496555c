import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Agent } from '../../services/spaces/agents/schema.ts';
import { hasCode } from '../api/problem.ts';
import { keys, queryClient } from '../api/queries.ts';
import { useText } from '../i18n/text.ts';
import { notify, notifyFailure } from '../ui/notices.tsx';
import { changeAgent } from './agent-data.ts';
import { draftKey, keepDraft, useAgentDrafts } from './agent-drafts.ts';
import { type AgentField, type AgentForm, differing, fieldsOf, formOf, merged } from './agent-form.ts';
import { agentText } from './agent-words.ts';
import { formText } from './form-text.ts';

/** The settings of one agent as they are being edited. */
export interface AgentEditing {
  /** What the server has. */
  saved: AgentForm;
  form: AgentForm;
  changed: readonly AgentField[];
  /** Both this person and another changed these, to different values. */
  conflicts: readonly AgentField[];
  error: Error | null;
  isSaving: boolean;
  change(part: Partial<AgentForm>): void;
  discard(): void;
  /** Goes on from what the other person saved; of the conflicts, theirs hold in `theirs`. */
  settle(theirs: readonly AgentField[]): void;
  /** @param onOver called when the server has answered, whatever it said */
  save(onOver: () => void): void;
}

/** Edits the agent; what another person saves meanwhile is brought in, or asked about where both changed the same. */
export function useAgentForm(ws: string, agent: Agent): AgentEditing {
  const t = useText(formText);
  const common = useText(agentText);
  const key = draftKey(ws, agent.id);
  const draft = useAgentDrafts(({ drafts }) => drafts[key]);
  const [error, setError] = useState<Error | null>(null);
  const saved = formOf(agent);
  const form = draft?.form ?? saved;
  const both = draft && draft.version !== agent.version ? merged(draft.base, saved, form) : null;
  const conflicts = both?.conflicts ?? [];
  const restOn = (next: AgentForm) => keepDraft(key, { base: saved, version: agent.version, form: next });
  useEffect(() => {
    if (!both || both.conflicts.length > 0) return;
    restOn(both.form);
    if (both.taken.length > 0 && differing(saved, both.form).length > 0)
      notify(t.brought(both.taken.map((field) => t.fields[field]).join(', ')));
  });
  const base = draft?.base ?? saved;
  const version = draft?.version ?? agent.version;
  const changed = differing(base, form);
  const save = useMutation({
    mutationFn: () => changeAgent(ws, agent.id, { ...fieldsOf(form, changed), version }),
    onMutate: () => setError(null),
    onError: (problem) => {
      setError(problem);
      // Another person was first: what they saved has to be known before anything can be settled.
      if (isStale(problem)) void queryClient.invalidateQueries({ queryKey: keys.agents(ws) });
    },
    onSuccess: (after) => {
      keepDraft(key, null);
      const back = () => changeAgent(ws, agent.id, { ...fieldsOf(base, changed), version: after.version });
      const undo = () => void back().then(({ name }) => notify(t.undone(name)), notifyFailure);
      notify(t.saved(after.name), { action: { label: common.undo, run: undo } });
    },
  });
  return {
    ...{ saved, form, conflicts, error, changed },
    isSaving: save.isPending,
    change: (part) => keepDraft(key, { base, version, form: { ...form, ...part } }),
    discard: () => {
      keepDraft(key, null);
      setError(null);
    },
    settle: (theirs) => {
      if (!both) return;
      restOn({ ...both.form, ...Object.fromEntries(theirs.map((field) => [field, saved[field]])) });
      setError(null);
    },
    save: (onOver) => save.mutate(undefined, { onSettled: onOver }),
  };
}

/** The name may be taken, too; only a stale version comes with the present one. */
export const isStale = (error: unknown): boolean =>
  hasCode(error, 'conflict') && typeof error.facts.presentVersion === 'number';
