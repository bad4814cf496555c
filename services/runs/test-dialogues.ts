import type { ModelScript, ScriptedDialogue, TurnSource } from '../../test/model/script.ts';

/** A dialogue for the runs whose prompt holds `word`. */
export function onWord(word: string, ...turns: TurnSource[]): ScriptedDialogue {
  return { name: word, when: { user: word }, turns };
}

/** The first that fits answers; whoever says more than is scripted is told so. */
export function dialogues(...list: ScriptedDialogue[]): ModelScript {
  return { name: 'test', dialogues: list, otherwise: { text: 'Nothing more.' } };
}

export const calls = (...tools: [name: string, input: unknown][]) => ({
  tools: tools.map(([name, input]) => ({ name, input })),
});

/** A turn that starts one sub-agent for each task. */
export const delegates = (...tasks: string[]) =>
  calls(...tasks.map((task) => ['run_subagent', { task }] as [string, unknown]));
