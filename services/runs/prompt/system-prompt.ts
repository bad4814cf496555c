import type { CapabilityProfile } from '../../../core-wasm/core.ts';
import type { MergeConflict } from '../../runner/runner.ts';
import type { AgentFacts, ConversationFacts } from '../peers/spaces-port.ts';
import type { Tool } from '../tools/tool.ts';
import { guidanceFor, subagentGuidance } from './guidance.ts';

export interface PromptFacts {
  profile: CapabilityProfile;
  tools: readonly Tool[];
  /** The tool that has to be called for the run to have done its work. */
  exitVerb: string | null;
  /** Another run started this one and gets its result. */
  isSubagent: boolean;
  agent: AgentFacts;
  /** Null in a run without a conversation. */
  conversation: ConversationFacts | null;
  worktrees: readonly { repository: string; branch: string; conflicts: readonly MergeConflict[] }[];
  /** The AGENTS.md of the first repository. */
  repositoryGuide: string | null;
}

const GUIDE_CHARS = 16_000;

/**
 * The system prompt in two pieces, the stable one first: mode, space, persona, instructions, skills; then the
 * repository's own guide. Both may be cached.
 */
export function systemPrompt(facts: PromptFacts): { text: string; cache: boolean }[] {
  const { agent } = facts;
  const sections = [
    modePreamble(facts),
    spaceFacts(facts),
    section('Persona', agent.persona),
    section('Agent instructions', agent.systemPrompt ?? ''),
    section('Skills', agent.skills.map((skill) => `- ${skill}`).join('\n')),
  ];
  const pieces = [{ text: sections.filter((text) => text !== '').join('\n\n'), cache: true }];
  const guide = facts.repositoryGuide?.trim() ?? '';
  if (guide !== '') pieces.push({ text: section("The repository's AGENTS.md", bounded(guide)), cache: true });
  return pieces;
}

/** Generated from the tools that were really given, so that it can name no other. */
function modePreamble({ profile, tools, exitVerb, isSubagent, agent }: PromptFacts): string {
  const byTier = (['read', 'write', 'execute'] as const)
    .map((tier) => [tier, tools.filter((tool) => tool.tier === tier).map((tool) => tool.name)] as const)
    .filter(([, names]) => names.length > 0)
    .map(([tier, names]) => `- ${tier}: ${names.join(', ')}`);
  const surface = tools.map((tool) => tool.name);
  return section(
    `Mode: ${profile.label}`,
    [
      `You are ${agent.name}, ${agent.title}, an agent in Control Center, working with people and other agents.`,
      `These are your tools; there are no others:`,
      ...byTier,
      profile.worktree === 'read-only' ? 'The repository is read-only in this mode.' : '',
      exitVerb ? `This run has delivered nothing until a call of ${exitVerb} succeeds.` : '',
      '',
      ...(isSubagent ? subagentGuidance(surface) : guidanceFor(profile.mode, surface)),
    ]
      .filter((line, i, lines) => line !== '' || lines[i + 1] !== '')
      .join('\n'),
  );
}

function spaceFacts({ conversation, tools, worktrees }: PromptFacts): string {
  if (conversation === null)
    return section('Where you are', 'This run belongs to no space: a single question.');
  const { space, title } = conversation;
  const repositories = worktrees.map(
    ({ repository, branch }) =>
      `- repository ${repository}, on the branch ${branch}, yours alone in this conversation`,
  );
  const conflicts = worktrees.flatMap((worktree) => worktree.conflicts).map(conflictLine);
  // Such a space has its name from the pull request's author, and what others wrote has no place here.
  const isOfPull = tools.some(({ name }) => name === 'read_review');
  const names = isOfPull
    ? ['Space: opened for a pull request; read_review says which.']
    : [`Space: ${space.name}`, `Conversation: ${title}`];
  const lines = [...names, ...repositories, ...conflicts];
  return section('Where you are', lines.join('\n'));
}

function conflictLine({ branch, files }: MergeConflict): string {
  return `- the branch ${branch} could not be merged into yours and is missing; it conflicts in ${files.join(', ')}`;
}

function section(title: string, body: string): string {
  return body.trim() === '' ? '' : `# ${title}\n${body.trim()}`;
}

function bounded(text: string): string {
  if (text.length <= GUIDE_CHARS) return text;
  return `${text.slice(0, GUIDE_CHARS).toWellFormed()}\n[cut: ${text.length} characters in all]`;
}
