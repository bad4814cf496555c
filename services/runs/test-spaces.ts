import type { Mode } from '../../core-wasm/core.ts';
import type { Actor } from '../kit/actor.ts';
import { eventStatement } from '../kit/database/event-log.ts';
import type { WorkspaceDatabases } from '../kit/database/workspace-databases.ts';
import { Fault } from '../kit/fault.ts';
import type { RepositoryRef } from '../runner/runner.ts';
import type {
  AgentFacts,
  AttachedFile,
  AttachmentFacts,
  ConversationFacts,
  MessageFacts,
  PlanExit,
  SpacesPort,
  TicketFacts,
} from './peers/spaces-port.ts';
import { TestApprovals, type TestDecision } from './test-approvals.ts';

type Message = MessageFacts & { conversationId: string; data: Record<string, unknown> };

interface Posting {
  kind: string;
  body: string;
  data: Record<string, unknown>;
  delivery?: string | undefined;
  attachments?: readonly AttachedFile[];
}

/** Stands in for spaces in tests of runs: keeps everything in memory, each keyed effect once, and writes its events. */
export class TestSpaces {
  readonly agents = new Map<string, AgentFacts>();
  readonly conversations = new Map<string, ConversationFacts>();
  readonly messages: Message[] = [];
  readonly attachments = new Map<string, AttachmentFacts & { bytes: Uint8Array }>();
  /** Rules, dials, and who is there. */
  readonly policy = new TestApprovals((type, subject, data) => this.#event(type, subject, data));
  readonly approvals = this.policy.all;
  owner: Actor = 'person:mem_owner';
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
      ...{ ...none, silenceTimeoutMinutes: null, maxTurns: null },
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

  /** A thread of the conversation's space. */
  addThread({ space }: ConversationFacts): ConversationFacts {
    const thread: ConversationFacts = { id: this.#id('cnv'), title: 'Thread', kind: 'thread', space };
    this.conversations.set(thread.id, thread);
    return thread;
  }

  /** A person's message and its event. */
  async say(
    conversationId: string,
    body: string,
    wake: string[],
    delivery: 'steer' | 'queue' = 'steer',
    attachments: AttachedFile[] = [],
  ): Promise<string> {
    const message = { kind: 'text', body, data: {}, delivery, attachments };
    return this.#post('person:mem_ada', conversationId, message, wake);
  }

  /** A file that waits for its message. */
  attach(conversationId: string, name: string, mediaType: string, bytes: Uint8Array): AttachmentFacts {
    const id = this.#id('att');
    const facts = { id, conversationId, name, mediaType, size: bytes.length, messageId: null };
    this.attachments.set(id, { ...facts, bytes });
    return facts;
  }

  async decide(id: string, status: 'approved' | 'refused', decision: TestDecision = {}): Promise<void> {
    await this.policy.decide(id, status, decision);
  }

  port(): SpacesPort {
    return {
      isOwner: async (actor) => actor === this.owner,
      people: async () => [
        { id: 'mem_ada', name: 'Ada', isFormer: false },
        { id: 'mem_owner', name: 'Olga', isFormer: false },
      ],
      agent: async (workspaceId, id) => known(this.#in(workspaceId) && this.agents.get(id), id),
      agents: async () => [...this.agents.values()],
      space: async (workspaceId, id) => known(this.#in(workspaceId) && this.#space(id), id),
      conversation: async (workspaceId, id) => known(this.#in(workspaceId) && this.conversations.get(id), id),
      message: async (_, id) =>
        known(
          this.messages.find((message) => message.id === id),
          id,
        ),
      recentMessages: async (_, id, limit) =>
        this.messages.filter((message) => message.conversationId === id).slice(-limit),
      attachment: async (_, id) => known(this.attachments.get(id), id),
      attachmentBytes: async (_, id) => known(this.attachments.get(id), id).bytes,
      postMessage: async (actor, _, conversationId, message) => ({
        id: await this.#once(message.key, () =>
          this.#post(actor, conversationId, message, message.wake ?? []),
        ),
        notices: [],
      }),
      ...this.#ticketCalls(),
      ...this.#policyCalls(),
    };
  }

  #policyCalls() {
    return {
      guardrails: async (_, { agentId, spaceId }) => {
        const space = spaceId === null ? null : known(this.#space(spaceId), spaceId);
        const dials = { autonomy: 'actWithApproval', whenNobody: 'refuse' } as const;
        const set = this.policy.dials.get(spaceId ?? '') ?? {};
        const rules = this.policy.rulesFor(agentId, spaceId);
        return { mode: space?.mode ?? 'chat', ...dials, ...set, rules };
      },
      requestApproval: async (_, __, request) => structuredClone(await this.policy.request(request)),
      approval: async (_, id) => structuredClone(this.policy.find(id)),
      supersede: (_, id) => this.policy.supersede(id),
      supersedeOfRun: (_, runId, also = { planExit: false }) => this.policy.supersedeOfRun(runId, also),
      leavePlanMode: (actor, _, spaceId, request) => this.#leavePlanMode(actor, spaceId, request),
    } satisfies Partial<SpacesPort>;
  }

  async #leavePlanMode(
    requester: Actor,
    spaceId: string,
    { runId, rootRunId, conversationId, summary }: Parameters<SpacesPort['leavePlanMode']>[3],
  ): Promise<PlanExit> {
    const space = known(this.#space(spaceId), spaceId);
    const gates = [...this.approvals.values()].filter(
      ({ kind, request }) => kind === 'plan_exit' && request.spaceId === spaceId,
    );
    const last = gates.at(-1);
    const approvalId = last?.id ?? null;
    if (space.mode !== 'plan') return { state: 'notInPlan', approvalId: null, reason: null };
    if (last?.status === 'pending') return { state: 'pending', approvalId, reason: null };
    if (last?.status === 'approved' && last.consumedBy === null) {
      last.consumedBy = runId;
      space.mode = 'chat';
      return { state: 'left', approvalId, reason: null };
    }
    const { id } = await this.policy.request({
      ...{ kind: 'plan_exit', requester, subject: 'Leave plan mode', arguments: { spaceId, summary } },
      ...{ runId, rootRunId, spaceId, conversationId, key: `plan_exit/${spaceId}/${gates.length}` },
    });
    return { state: 'pending', approvalId: id, reason: last?.decision?.reason ?? null };
  }

  #ticketCalls() {
    return {
      tickets: async () => [...this.tickets.values()],
      ticket: async (_, id) => ({ ...known(this.tickets.get(id), id), comments: [], delegations: [] }),
      createTicket: async (_, __, { title, description, key }) => {
        const id = await this.#once(key, async () => {
          const ticket = { id: this.#id('tkt'), number: this.tickets.size + 1, title, description };
          const rest = { assignee: null, parentId: null, spaceId: null, projectId: null, labels: [] };
          this.tickets.set(ticket.id, { ...ticket, ...rest, status: 'backlog', priority: 'none' });
          return ticket.id;
        });
        return known(this.tickets.get(id), id);
      },
      updateTicket: async (_, __, id, { delegator, ...change }) =>
        Object.assign(known(this.tickets.get(id), id), change),
      commentTicket: async () => undefined,
      beginDelegation: async () => undefined,
      endDelegation: async () => undefined,
    } satisfies Partial<SpacesPort>;
  }

  async #post(
    author: Actor,
    conversationId: string,
    { kind, body, data, delivery = 'steer', attachments = [] }: Posting,
    wake: string[],
  ): Promise<string> {
    const id = this.#id('msg');
    const files = attachments.map(({ id, name, mediaType, size }) => ({ id, name, mediaType, size }));
    const message = { id, author, kind, body, data, conversationId, attachments: files };
    this.messages.push({ ...message, createdAt: Date.now() });
    for (const file of files) known(this.attachments.get(file.id), file.id).messageId = id;
    await this.#event('message.posted', id, { conversationId, mentions: wake, wake, delivery }, author);
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

  #space(id: string) {
    return [...this.conversations.values()].find(({ space }) => space.id === id)?.space;
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
