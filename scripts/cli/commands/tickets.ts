import { type Command, Option } from 'commander';
import { TICKET_PRIORITIES, TICKET_STATUSES } from '../../../services/runs/peers/spaces-port.ts';
import type { TicketPriority } from '../../../services/spaces/tickets/schema.ts';
import type { TicketStatus } from '../../../services/spaces/tickets/ticket-status.ts';
import type { Cli, Outcome } from '../command.ts';
import { usageError } from '../command-error.ts';
import { chosenWorkspaces, locate } from '../locate.ts';
import { policyPlace } from '../policy-place.ts';
import { ONE_WORKSPACE, onRemoteAction, type RemoteCall, type RemoteOptions } from '../remote-action.ts';
import { type ListedTicket, ticketsTable, ticketText } from '../render/ticket-text.ts';

type Call = RemoteCall<RemoteOptions>;
type Client = Call['client'];

interface ListOptions extends RemoteOptions {
  space?: string;
  status?: TicketStatus;
  assignee?: string;
}
interface CreateOptions extends RemoteOptions {
  description?: string;
  space?: string;
  parent?: string;
  priority?: TicketPriority;
  assign?: string;
}

export function addTickets(program: Command, cli: Cli): void {
  const tickets = program.command('tickets').description('list tickets, look into one, make or assign one');
  const list = tickets
    .command('list', { isDefault: true })
    .description('list tickets, newest first')
    .option('--space <id>', 'only of this space')
    .option('--assignee <agent>', 'only of this agent')
    .addOption(new Option('--status <status>', 'only in this status').choices(TICKET_STATUSES));
  onRemoteAction<ListOptions>(cli, list, listTickets);
  const show = tickets.command('show').description('show a ticket with its comments and who works on it');
  onRemoteAction(cli, show.argument('<id>', 'the ticket'), showTicket);
  const create = tickets
    .command('create')
    .description('make a ticket; with --assign an agent begins with it')
    .argument('<title...>', 'what is to be done')
    .option('--description <markdown>', 'all that somebody needs to know to do it')
    .option('--space <id>', 'the space in which it is worked on')
    .option('--parent <id>', 'the ticket of which it is a part')
    .option('--assign <agent>', 'name of the agent that is to begin with it now')
    .addOption(new Option('--priority <priority>', 'how urgent it is').choices(TICKET_PRIORITIES));
  onRemoteAction<CreateOptions>(cli, create, createTicket, ONE_WORKSPACE);
  const assign = tickets
    .command('assign')
    .description('give a ticket to an agent, which begins with it; whoever had it before is stopped')
    .argument('<id>', 'the ticket')
    .argument('<agent>', 'name of the agent, or `nobody`');
  onRemoteAction(cli, assign, assignTicket);
  const move = tickets
    .command('move')
    .description('change the status of a ticket; an end stops whoever works on it')
    .argument('<id>', 'the ticket')
    .argument('<status>', TICKET_STATUSES.join(', '));
  onRemoteAction(cli, move, moveTicket);
}

async function listTickets({ client, options }: RemoteCall<ListOptions>): Promise<Outcome> {
  const { space, status, assignee } = options;
  const items: ListedTicket[] = [];
  const names = new Map<string, string>();
  for (const workspace of await workspacesOf(client, options.workspace, space)) {
    const agents = await client.agents(workspace.id);
    for (const { id, name } of agents) names.set(`agent:${id}`, name);
    const wanted = agents.find(({ name }) => name === assignee);
    if (assignee !== undefined && wanted === undefined) continue;
    const filter = { spaceId: space, status, assignee: wanted && `agent:${wanted.id}` };
    const found = await client.tickets(workspace.id, filter);
    items.push(...found.map((ticket) => ({ ...ticket, workspace: workspace.name })));
  }
  const known = [...new Set(names.values())];
  if (assignee !== undefined && !known.includes(assignee)) throw noAgent(assignee, known);
  items.sort((a, b) => b.createdAt - a.createdAt);
  return { value: { items }, text: ticketsTable(items, (actor) => names.get(actor) ?? actor) };
}

/** The chosen workspaces, or that of the space. @throws Fault not_found */
async function workspacesOf(client: Client, workspace: string | undefined, space: string | undefined) {
  const chosen = await chosenWorkspaces(client, workspace);
  if (space === undefined) return chosen;
  const place = await locate(client, workspace, 'space', space, (ws) => client.space(ws, space));
  return chosen.filter(({ id }) => id === place.workspaceId);
}

async function showTicket({ client, options, args: [id = ''], context }: Call): Promise<Outcome> {
  const { workspaceId, found } = await locateTicket(client, options.workspace, id);
  const nameOf = await namesIn(client, workspaceId);
  return { value: found, text: ticketText(found, nameOf, context.terminal.paint) };
}

async function createTicket({ client, options, args }: RemoteCall<CreateOptions>): Promise<Outcome> {
  const title = args.join(' ').trim();
  if (title === '') throw usageError('The title is empty: say what is to be done.');
  const { workspaceId } = await policyPlace(client, {
    ...(options.workspace === undefined ? {} : { workspace: options.workspace }),
    ...(options.space === undefined ? {} : { space: options.space }),
  });
  const assignee = options.assign && (await agentNamed(client, workspaceId, options.assign));
  const ticket = {
    ...{ title, description: options.description, priority: options.priority, assignee },
    ...{ spaceId: options.space, parentId: options.parent },
  };
  const value = await client.createTicket(workspaceId, ticket, `ticket/${crypto.randomUUID()}`);
  const begins = options.assign ? ` ${options.assign} begins with it.` : '';
  return { value, text: `Made ticket #${value.number} (${value.id}).${begins}` };
}

async function assignTicket({ client, options, args: [id = '', name = ''] }: Call): Promise<Outcome> {
  const { workspaceId, found } = await locateTicket(client, options.workspace, id);
  const assignee = name === 'nobody' ? null : await agentNamed(client, workspaceId, name);
  const key = `assign/${id}/${found.version}/${name}`;
  const value = await client.changeTicket(workspaceId, id, { assignee }, key);
  return { value, text: assignedText(value, found.assignee, name) };
}

type Ticket = Awaited<ReturnType<Client['changeTicket']>>;

function assignedText({ id, number, assignee, status }: Ticket, before: string | null, name: string): string {
  const which = `Ticket #${number} (${id})`;
  if (assignee === null) return `${which} is assigned to nobody.`;
  if (assignee === before) return `${which} was ${name}'s already; nothing is started anew.`;
  if (['done', 'failed', 'cancelled'].includes(status))
    return `${which} is ${name}'s now; it is ${status}, so nothing is started.`;
  return `${which} is ${name}'s now, who begins with it.`;
}

async function moveTicket({ client, options, args: [id = '', to = ''] }: Call): Promise<Outcome> {
  const status = TICKET_STATUSES.find((known) => known === to);
  if (!status)
    throw usageError(`There is no status ${JSON.stringify(to)}. There are: ${TICKET_STATUSES.join(', ')}.`);
  const { workspaceId, found } = await locateTicket(client, options.workspace, id);
  const value = await client.changeTicket(workspaceId, id, { status }, `move/${id}/${found.version}/${to}`);
  return { value, text: `Ticket #${value.number} (${id}) is ${value.status}.` };
}

function locateTicket(client: Client, workspace: string | undefined, id: string) {
  return locate(client, workspace, 'ticket', id, (ws) => client.ticket(ws, id));
}

async function agentNamed(client: Client, workspaceId: string, name: string): Promise<string> {
  const agents = await client.agents(workspaceId);
  const agent = agents.find((one) => one.name === name);
  if (agent) return `agent:${agent.id}`;
  throw noAgent(
    name,
    agents.map((one) => one.name),
  );
}

function noAgent(name: string, known: readonly string[]) {
  return usageError(`There is no agent ${JSON.stringify(name)}. There are: ${known.join(', ') || 'none'}.`);
}

async function namesIn(client: Client, workspaceId: string): Promise<(actor: string) => string> {
  const [agents, me] = await Promise.all([client.agents(workspaceId), client.me()]);
  const names = new Map<string, string>(agents.map(({ id, name }) => [`agent:${id}`, name]));
  names.set(me.actor, 'you');
  return (actor) => names.get(actor) ?? actor;
}
