import type { Command } from 'commander';
import { Fault } from '../../../services/kit/fault.ts';
import type { Cli } from '../command.ts';
import { requirePersonsToken } from '../connect.ts';
import { locateOrchestration } from '../locate.ts';
import { onRemoteAction, type RemoteCall, type RemoteOptions } from '../remote-action.ts';
import { ticketKeys } from '../ticket-keys.ts';
import { wholeNumber } from '../whole-number.ts';

interface Options extends RemoteOptions {
  revision?: string;
  tickets?: string;
}

export function addApprove(program: Command, cli: Cli): void {
  const whole = program
    .command('approve')
    .description('approve a proposal or a plan, so that its work starts')
    .argument('<id>', 'the orchestration or plan')
    .option(
      '--revision <n>',
      'the revision that was read; a newer one is then refused (default: the present one)',
    )
    .option('--tickets <keys>', 'these sub-tickets alone, as in api,docs; the others wait (default: all)');
  onRemoteAction<Options>(cli, whole, approve);
  const rest = program
    .command('approve-deferred')
    .description('approve sub-tickets that wait since a part was approved')
    .argument('<id>', 'the orchestration or plan')
    .option('--tickets <keys>', 'these alone, as in api,docs (default: all that are deferred)');
  onRemoteAction<Options>(cli, rest, approveDeferred);
}

async function approve({ client, options, args: [id = ''] }: RemoteCall<Options>) {
  const given =
    options.revision === undefined ? null : wholeNumber(options.revision, '--revision', 1, 1_000_000);
  const tickets = options.tickets === undefined ? null : ticketKeys(options.tickets);
  await requirePersonsToken(client, 'Approving');
  const { workspaceId, found } = await locateOrchestration(client, options.workspace, id);
  const revision = given ?? found.revision;
  const body = { revision, ...(tickets === null ? {} : { tickets }) };
  const value = await client.approve(workspaceId, id, body, `approve/${id}/${revision}/${tickets ?? ''}`);
  const part = tickets === null ? '' : `${tickets.join(', ')} of `;
  const lines = [
    `Approved ${part}revision ${revision} of ${id}. Follow it with`,
    `  cctl follow ${id}`,
    ...(tickets === null ? [] : ['Approve what it leaves out with', `  cctl approve-deferred ${id}`]),
  ];
  return { value, text: lines.join('\n') };
}

async function approveDeferred({ client, options, args: [id = ''] }: RemoteCall<Options>) {
  const given = options.tickets === undefined ? null : ticketKeys(options.tickets);
  await requirePersonsToken(client, 'Approving');
  const { workspaceId, found } = await locateOrchestration(client, options.workspace, id);
  const tickets = given ?? found.deferred;
  if (tickets.length === 0) {
    const message = `Nothing of ${id} is deferred; it is ${found.status}.`;
    throw new Fault('wrong_status', message, { status: found.status });
  }
  const value = await client.approveDeferred(workspaceId, id, tickets, `deferred/${id}/${tickets.join(',')}`);
  return { value, text: `Approved ${tickets.join(', ')} of ${id}. Follow it with\n  cctl follow ${id}` };
}
