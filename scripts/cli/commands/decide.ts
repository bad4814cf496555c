import { Argument, type Command, Option } from 'commander';
import { RULE_SCOPES, type RuleScope } from '../../../core-wasm/core.ts';
import type { NewDecision } from '../../../services/spaces/approvals/schema.ts';
import type { Approval, Client } from '../client/client.ts';
import type { Cli } from '../command.ts';
import { usageError } from '../command-error.ts';
import type { Grant } from '../job/job.ts';
import { locate } from '../locate.ts';
import { onRemoteAction, type RemoteOptions } from '../remote-action.ts';
import { tryAgainCommand } from '../render/closing-text.ts';

const DECISIONS = { approve: 'approved', refuse: 'refused', changes: 'changesRequested' } as const;
type Word = keyof typeof DECISIONS;
const DONE: Record<Word, string> = {
  approve: 'Approved',
  refuse: 'Refused',
  changes: 'Asked for changes of',
};

interface Options extends RemoteOptions {
  answer?: string;
  reason?: string;
  for?: Grant;
  ruleScope?: RuleScope;
}

export function addDecide(program: Command, cli: Cli): void {
  const command = program
    .command('decide')
    .description('decide what waits in the inbox')
    .argument('<id>', 'the approval')
    .addArgument(new Argument('<decision>').choices(Object.keys(DECISIONS)))
    .addOption(
      new Option(
        '--for <reach>',
        'an action: this call, the same call in its run, or by a rule from now on',
      ).choices(['once', 'run', 'rule']),
    )
    .addOption(
      new Option('--rule-scope <scope>', 'where the rule holds (default: space)').choices(RULE_SCOPES),
    )
    .option('--answer <text>', 'the answer to a question')
    .option('--reason <text>', 'why it is refused, or what is to be changed');
  onRemoteAction<Options>(cli, command, async ({ client, options, args: [id = '', word = ''] }) => {
    checkUsage(word as Word, options);
    const read = (workspaceId: string) => client.approval(workspaceId, id);
    const { workspaceId, found } = await locate(client, options.workspace, 'approval', id, read);
    const body = decisionBody(found, word as Word, options);
    const value = await client.decide(workspaceId, id, body, `decide/${id}/${word}`);
    const next = word === 'approve' ? await againText(client, workspaceId, found) : '';
    return { value, text: `${DONE[word as Word]} ${id}.${reachText(options)}${next}` };
  });
}

function checkUsage(word: Word, options: Options): void {
  if (options.for !== undefined && word !== 'approve') throw usageError('--for goes with approve.');
  if (options.ruleScope !== undefined && options.for !== 'rule')
    throw usageError('--rule-scope goes with --for rule.');
  if (word === 'changes' && !options.reason?.trim())
    throw usageError('Say what is to be changed with --reason TEXT.');
}

/** Carries the digest of what was read, so that a decision about anything else is refused. */
function decisionBody(approval: Approval, word: Word, options: Options): NewDecision {
  const { id, kind, digest } = approval;
  const { answer, reason, for: grant, ruleScope } = options;
  if (kind === 'question' && word === 'approve' && answer === undefined)
    throw usageError(`${id} is a question; give its answer with --answer TEXT.`);
  if (kind !== 'action' && grant !== undefined)
    throw usageError(`${id} is no action; --for is for those alone.`);
  return {
    decision: DECISIONS[word],
    digest,
    ...(answer === undefined ? {} : { answer }),
    ...(reason === undefined ? {} : { reason }),
    ...(grant === undefined ? {} : { grant }),
    ...(ruleScope === undefined ? {} : { ruleScope }),
  };
}

/** How to have an agent that went on without an action try it again; only its own conversation can be gone on with. */
async function againText(
  client: Client,
  workspaceId: string,
  { status, spaceId, conversationId }: Approval,
): Promise<string> {
  if (status !== 'unattended' || spaceId === null) return '';
  const space = await client.space(workspaceId, spaceId);
  if (space.mainConversationId !== conversationId) return '';
  return `\nIts agent went on without it. Have it try again with\n  ${tryAgainCommand(spaceId)}`;
}

function reachText({ for: grant, ruleScope = 'space' }: Options): string {
  if (grant === 'run') return ' The same call is not asked again in its run.';
  return grant === 'rule' ? ` A rule of the ${ruleScope} allows it from now on.` : '';
}
