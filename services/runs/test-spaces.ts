import type { Mode } from '../../core-wasm/core.ts';
import type { Actor } from '../kit/actor.ts';
import { eventStatement } from '../kit/database/event-log.ts';
import type { WorkspaceDatabases } from '../kit/database/workspace-databases.ts';
import { Fault } from '../kit/fault.ts';
import type { RepositoryRef } from '../runner/runner.ts';
import type {
  AgentFacts,
  ApprovalFacts,
  ConversationFacts,
  MessageFacts,
  NewApproval,
  SpacesPort,
  TicketFacts,
} from './peers/spaces-port.ts';

type Approval = ApprovalFacts & { request: NewApproval };
type Message = MessageFacts & { conversationId: string; data: Record<string, unknown> };

/** Stands in for spaces in tests of runs: keeps everything in memory, each keyed effect once, and writes its events. */
export class TestSpaces {
  readonly agents = new Map<string, AgentFacts>();
  readonly conversations = new Map<string, ConversationFacts>();
  readonly messages: Message[] = [];
  readonly approvals = new Map<string, Approval>();
  readonly tickets = new Map<string, TicketFacts>();
  readonly #keyed = new Map<string, string>();
  #made = 0;

  constructor(
    readonly workspaceId: string,
    private readonly databases: WorkspaceDatabases,
  ) {}

  addAgent(name: string, more: Partial<AgentFacts> = {}): AgentFacts {
    const none = { systemPrompt: null, modelId: null, effort: null, contextSize: null };
    const agent: AgentFacts = {
      ...{ id: this.#id('agt'), name, title: `The ${name}`, persona: `I am ${name}.`, skills: [] },
      ...{ ...none, silenceTimeoutMinutes: null },
      ...more,
    };
    this.agents.set(agent.id, agent);
    return agent;
  }

  addConversation(mode: Mode, repositories: RepositoryRef[] = []): ConversationFacts {
    const id = this.#id('cnv');
    const space = { id: this.#id('spc'), name: 'Lab', mode, repositories, agents: [...this.agents.keys()] };
    const conversation: ConversationFacts = { id, title: 'Main', kind: 'main', space };
    this.conversations.set(id, conversation);
    return conversation;
  }

  /** A person's message and its event. */
  async say(conversationId: string, body: string, wake: string[]): Promise<string> {
    return this.#post('person:mem_ada', conversationId, { kind: 'text', body, data: {} }, wake);
  }

  async decide(
    id: string,
    status: 'approved' | 'refused',
    decision: { answer?: string; reason?: string } = {},
  ): Promise<void> {
    const approval = this.#approval(id);
    if (approval.status !== 'pending') throw new Fault('already_decided', `${id} is ${approval.status}.`);
    Object.assign(approval, { status, decision, decidedBy: 'person:mem_ada' });
    await this.#event('approval.decided', id, { kind: approval.kind, status });
  }

  port(): SpacesPort {
    return {
      agent: async (workspaceId, id) => known(this.#in(workspaceId) && this.agents.get(id), id),
      agents: async () => [...this.agents.values()],
      space: async (workspaceId, id) =>
        known(this.#in(workspaceId) && this.#spaces().find((space) => space.id === id), id),
      conversation: async (workspaceId, id) => known(this.#in(workspaceId) && this.conversations.get(id), id),
      recentMessages: async (_, id, limit) =>
        this.messages.filter((message) => message.conversationId === id).slice(-limit),
      postMessage: async (actor, _, conversationId, message) => ({
        id: await this.#once(message.key, () => this.#post(actor, conversationId, message, [])),
        notices: [],
      }),
      ...this.#ticketCalls(),
      requestApproval: async (_, __, request) =>
        this.#approval(await this.#once(request.key, () => this.#open(request))),
      approval: async (_, id) => this.#approval(id),
      supersedeOfRun: (_, runId) => this.#supersede(runId),
    };
  }

  #ticketCalls() {
    return {
      tickets: async () => [...this.tickets.values()],
      ticket: async (_, id) => ({ ...known(this.tickets.get(id), id), comments: [] }),
      createTicket: async (_, __, { title, description, key }) => {
        const id = await this.#once(key, async () => {
          const ticket = { id: this.#id('tkt'), number: this.tickets.size + 1, title, description };
          const rest = { assignee: null, parentId: null, projectId: null, labels: [] };
          this.tickets.set(ticket.id, { ...ticket, ...rest, status: 'backlog', priority: 'none' });
          return ticket.id;
        });
        return known(this.tickets.get(id), id);
      },
      updateTicket: async (_, __, id, change) => Object.assign(known(this.tickets.get(id), id), change),
      commentTicket: async () => undefined,
    } satisfies Partial<SpacesPort>;
  }

  async #open(request: NewApproval): Promise<string> {
    const id = this.#id('apr');
    const { kind } = request;
    this.approvals.set(id, { id, kind, status: 'pending', decidedBy: null, decision: null, request });
    await this.#event('approval.requested', id, { kind });
    return id;
  }

  async #supersede(runId: string): Promise<void> {
    for (const approval of this.approvals.values()) {
      if (approval.request.runId === runId && approval.status === 'pending') approval.status = 'superseded';
    }
  }

  async #post(
    author: Actor,
    conversationId: string,
    { kind, body, data }: { kind: string; body: string; data: Record<string, unknown> },
    wake: string[],
  ): Promise<string> {
    const id = this.#id('msg');
    this.messages.push({ id, author, kind, body, data, conversationId, createdAt: Date.now() });
    await this.#event('message.posted', id, { conversationId, mentions: wake, wake }, author);
    return id;
  }

  async #event(
    type: string,
    subject: string,
    data: Record<string, unknown>,
    actor: Actor = 'person:mem_ada',
  ) {
    const database = await this.databases.open(this.workspaceId);
    await database.write('spaces.test', [eventStatement({ at: Date.now(), actor, type, subject, data })]);
  }

  async #once(key: string, make: () => Promise<string>): Promise<string> {
    const id = this.#keyed.get(key) ?? (await make());
    this.#keyed.set(key, id);
    return id;
  }

  #approval(id: string): Approval {
    return known(this.approvals.get(id), id);
  }

  #spaces() {
    return [...this.conversations.values()].map((conversation) => conversation.space);
  }

  #in(workspaceId: string): boolean {
    return workspaceId === this.workspaceId;
  }

  #id(prefix: string): string {
    return `${prefix}_${String(++this.#made).padStart(6, '0')}`;
  }
}

function known<T>(value: T | undefined | false, id: string): T {
  if (value === undefined || value === false) throw new Fault('not_found', `There is no ${id} here.`);
  return value;
}
