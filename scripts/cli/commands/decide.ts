import { Argument, type Command } from 'commander';
import type { Approval } from '../client/client.ts';
import type { Cli } from '../command.ts';
import { usageError } from '../command-error.ts';
import { locate } from '../locate.ts';
import { onRemoteAction, type RemoteOptions } from '../remote-action.ts';

interface Options extends RemoteOptions {
  answer?: string;
  reason?: string;
}

export function addDecide(program: Command, cli: Cli): void {
  const command = program
    .command('decide')
    .description('decide what waits in the inbox')
    .argument('<id>', 'the approval')
    .addArgument(new Argument('<decision>').choices(['approve', 'refuse']))
    .option('--answer <text>', 'the answer to a question')
    .option('--reason <text>', 'why it is refused');
  onRemoteAction<Options>(cli, command, async ({ client, options, args: [id = '', decision = ''] }) => {
    const read = (workspaceId: string) => client.approval(workspaceId, id);
    const { workspaceId, found } = await locate(client, options.workspace, 'approval', id, read);
    const body = decisionBody(found, decision === 'approve', options);
    const value = await client.decide(workspaceId, id, body, `decide/${id}/${decision}`);
    return { value, text: `${decision === 'approve' ? 'Approved' : 'Refused'} ${id}.` };
  });
}

/** Carries the digest of what was read, so that a decision about anything else is refused. */
function decisionBody(approval: Approval, approve: boolean, { answer, reason }: Options) {
  if (approval.kind === 'question' && approve && answer === undefined) {
    throw usageError(`${approval.id} is a question; give its answer with --answer TEXT.`);
  }
  return {
    decision: approve ? ('approved' as const) : ('refused' as const),
    digest: approval.digest,
    ...(answer === undefined ? {} : { answer }),
    ...(reason === undefined ? {} : { reason }),
  };
}
