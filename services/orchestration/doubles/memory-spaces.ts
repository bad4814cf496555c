import type { Mode } from '../../../core-wasm/core.ts';
import { type Actor, isPerson } from '../../kit/actor.ts';
import { Fault } from '../../kit/fault.ts';
import { newId } from '../../kit/id.ts';
import type { ApprovalFacts, SpaceFacts, SpacesPort, TicketFacts } from '../ports.ts';
import type { WriteEvent } from './event-writer.ts';

interface Keyed {
  id: string;
  key: string;
}
export interface MemoryMessage extends Keyed {
  conversationId: string;
  author: Actor;
  kind: string;
  body: string;
  data: Record<string, unknown>;
}
export interface MemoryTicket extends TicketFacts {
  key: string;
  description: string;
  parentId: string | null;
  projectId: string | null;
  assignee: Actor | null;
  comments: { key: string; body: string }[];
}

/** The people's side in memory: creates are unique by key, a decision has one winner and is told as an event. */
export class MemorySpaces implements SpacesPort {
  readonly agents: (Keyed & { name: string; title: string })[] = [];
  readonly spaces: (Keyed & SpaceFacts)[] = [];
  readonly conversations: (Keyed & { spaceId: string; title: string })[] = [];
  readonly messages: MemoryMessage[] = [];
  readonly tickets: MemoryTicket[] = [];
  readonly projects: (Keyed & { name: string })[] = [];
  readonly teams: (Keyed & { members: Actor[]; projectId: string })[] = [];
  readonly approvals: (Keyed & ApprovalFacts & { subject: string; requester: Actor })[] = [];
  /** Each change of a space's mode, by whoever made it. */
  readonly modeChanges: { spaceId: string; mode: Mode }[] = [];
  /** Keys of creates, repeated ones included. */
  readonly asked: string[] = [];

  constructor(private readonly writeEvent: WriteEvent) {}

  addAgent(name: string): string {
    const agent = { id: newId('agt'), key: `seed/${name}`, name, title: name };
    this.agents.push(agent);
    return agent.id;
  }

  async listAgents() {
    return this.agents;
  }

  async hireAgent(input: { key: string; name: string; title: string }) {
    const isTaken = this.agents.some(({ name, key }) => name === input.name && key !== input.key);
    if (isTaken) throw new Fault('conflict', `There is an agent ${input.name} already.`);
    return this.#create(this.agents, input.key, () => ({ id: newId('agt'), ...input }));
  }

  async getSpace(id: string) {
    return this.#get(this.spaces, id);
  }

  async createSpace(
    input: Pick<SpaceFacts, 'name' | 'mode' | 'repositories' | 'agents'> & {
      key: string;
      parentSpaceId?: string;
    },
  ) {
    return this.#create(this.spaces, input.key, () => {
      const id = newId('spc');
      const main = { id: newId('cnv'), key: `main/${id}`, spaceId: id, title: 'main' };
      this.conversations.push(main);
      return { ...input, id, mainConversationId: main.id, version: 1 };
    });
  }

  async setSpaceMode(id: string, { mode, version }: { mode: Mode; version: number }) {
    const space = this.#get(this.spaces, id);
    if (space.version !== version) throw new Fault('conflict', `It is at version ${space.version}.`);
    if (space.mode !== mode) this.changeMode(id, mode);
  }

  /** What anybody may do to a space at any time. */
  changeMode(id: string, mode: Mode): void {
    const space = this.#get(this.spaces, id);
    Object.assign(space, { mode, version: space.version + 1 });
    this.modeChanges.push({ spaceId: id, mode });
  }

  async createConversation(spaceId: string, input: { key: string; title: string }) {
    return this.#create(this.conversations, input.key, () => ({ id: newId('cnv'), spaceId, ...input }));
  }

  async getConversation(id: string) {
    return this.#get(this.conversations, id);
  }

  async postMessage(
    author: Actor,
    conversationId: string,
    input: { key: string; kind: string; body: string; data: Record<string, unknown> },
  ) {
    this.#get(this.conversations, conversationId);
    return this.#create(this.messages, input.key, () => ({
      id: newId('msg'),
      conversationId,
      author,
      ...input,
    }));
  }

  async patchMessage(id: string, input: { body: string; data: Record<string, unknown> }) {
    Object.assign(this.#get(this.messages, id), input);
  }

  async createTicket(input: Parameters<SpacesPort['createTicket']>[0]) {
    if (input.provenance.id && input.provenance.id.length > 80)
      throw new Fault('invalid_request', 'too long');
    return this.#create(this.tickets, input.key, () => ({
      ...{ ...input, id: newId('tkt'), number: this.tickets.length + 1, comments: [] },
    }));
  }

  async getTicket(id: string) {
    return this.#get(this.tickets, id);
  }

  async listTickets({ parentId }: { parentId: string }) {
    return this.tickets.filter((ticket) => ticket.parentId === parentId);
  }

  async patchTicket(id: string, input: { status?: MemoryTicket['status']; projectId?: string }) {
    Object.assign(this.#get(this.tickets, id), input);
  }

  async commentTicket(id: string, input: { key: string; body: string }) {
    const { comments } = this.#get(this.tickets, id);
    if (!comments.some((comment) => comment.key === input.key)) comments.push(input);
  }

  async createProject(input: { key: string; name: string }) {
    return this.#create(this.projects, input.key, () => ({ id: newId('prj'), ...input }));
  }

  async createTeam(input: { key: string; members: Actor[]; projectId: string }) {
    return this.#create(this.teams, input.key, () => ({ id: newId('tm'), ...input }));
  }

  async createApproval(input: Parameters<SpacesPort['createApproval']>[0]) {
    return this.#create(this.approvals, input.key, () => ({
      ...{ ...input, id: newId('apr'), status: 'pending' as const, decidedBy: null, decision: null },
      digest: new Bun.CryptoHasher('sha256')
        .update(JSON.stringify([input.kind, input.arguments]))
        .digest('hex'),
    }));
  }

  async getApproval(id: string) {
    return this.#get(this.approvals, id);
  }

  async decideApproval(
    person: Actor,
    id: string,
    input: {
      decision: 'approved' | 'refused' | 'changesRequested';
      digest?: string;
      reason?: string;
      answer?: string;
    },
  ) {
    if (!isPerson(person)) throw new Fault('people_only', 'Only a person may decide an approval.');
    const approval = this.#get(this.approvals, id);
    if (input.digest !== undefined && input.digest !== approval.digest)
      throw new Fault('conflict', 'other arguments');
    if (approval.status !== 'pending') throw new Fault('already_decided', `It is ${approval.status}.`);
    const { reason, answer } = input;
    const isBack = input.decision === 'changesRequested';
    const status = input.decision === 'approved' ? 'approved' : 'refused';
    const decision = { reason, answer, ...(isBack ? { changesRequested: true } : {}) };
    Object.assign(approval, { status, decidedBy: person, decision });
    const { kind, arguments: args } = approval;
    const data = { kind, status, runId: null, arguments: args, decision };
    await this.writeEvent('approval.decided', id, data, person);
    return approval;
  }

  async supersedeApproval(id: string) {
    const approval = this.#get(this.approvals, id);
    if (approval.status === 'pending') approval.status = 'superseded';
  }

  /** Titles are what people read; tests name tickets by them. */
  ticketTitled(title: string): MemoryTicket {
    const ticket = this.tickets.find((known) => known.title === title);
    if (!ticket) throw new Error(`no ticket ${title}`);
    return ticket;
  }

  #create<T extends Keyed>(rows: T[], key: string, make: () => T): T {
    this.asked.push(key);
    const known = rows.find((row) => row.key === key);
    if (known) return known;
    const row = { ...make(), key };
    rows.push(row);
    return row;
  }

  #get<T extends { id: string }>(rows: T[], id: string): T {
    const row = rows.find((known) => known.id === id);
    if (row) return row;
    throw new Fault('not_found', `There is no ${JSON.stringify(id)}.`);
  }
}
