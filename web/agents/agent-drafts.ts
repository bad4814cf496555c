import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import { type AgentForm, differing } from './agent-form.ts';

/** Unsaved changes of one agent, with what they are based on. */
export interface AgentDraft {
  base: AgentForm;
  /** The version that `base` is. */
  version: number;
  form: AgentForm;
}

interface AgentDrafts {
  drafts: Readonly<Record<string, AgentDraft>>;
}

/** Unsaved changes by `workspace/agent`: they outlive a change of screen and a reload, in this tab. */
export const useAgentDrafts = create<AgentDrafts>()(
  persist((): AgentDrafts => ({ drafts: {} }), {
    name: 'control-center.agent-drafts',
    storage: createJSONStorage(() => sessionStorage),
    version: 1,
  }),
);

export const draftKey = (ws: string, id: string): string => `${ws}/${id}`;

/** Keeps a draft; one that says what its base says is none. */
export function keepDraft(key: string, draft: AgentDraft | null): void {
  useAgentDrafts.setState(({ drafts: { [key]: _before, ...others } }) => ({
    drafts:
      draft === null || differing(draft.base, draft.form).length === 0 ? others : { ...others, [key]: draft },
  }));
}
