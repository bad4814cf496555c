import type { Autonomy, GuardrailRule, Mode } from '../../../core-wasm/core.ts';
import type { Explain } from './explanation.ts';

export interface LocalPolicy {
  mode: Mode;
  autonomy: Autonomy;
  rules: GuardrailRule[];
  /** Absolute path of the folder that a command may write in. */
  worktree: string;
}

/** Judges command lines in this process, without a server. What reads them is loaded for it alone. */
export async function createLocalExplainer(policy: LocalPolicy): Promise<Explain> {
  const { createCommandReader } = await import('../../../services/runs/guard/shell/command-reader.ts');
  const { explainCommand } = await import('../../../services/runs/guard/explain.ts');
  const reader = await createCommandReader();
  return (line) => explainCommand(reader, { ...policy, line });
}
