import type { Autonomy, EffectClass, RuleAction, RuleScope } from '../../core-wasm/core.ts';
import { EffectClass as EffectClasses, type GuardrailRule } from '../../core-wasm/core.ts';
import type { Actor } from '../kit/actor.ts';
import { Fault } from '../kit/fault.ts';
import type { ApprovalFacts, NewApproval, WhenNobody } from './peers/spaces-port.ts';

type Grant = 'once' | 'run' | 'rule';

export type TestApproval = ApprovalFacts & {
  request: Omit<NewApproval, 'kind'> & { kind: NewApproval['kind'] | 'plan_exit' | 'orchestration' };
  grant: Grant | null;
  wasUnattended: boolean;
  consumedBy: string | null;
};

export interface TestDecision {
  answer?: string;
  reason?: string;
  changesRequested?: boolean;
  grant?: Grant;
  ruleScope?: RuleScope;
}

export type Tell = (type: string, subject: string, data: Record<string, unknown>) => Promise<void>;

const ADA: Actor = 'person:mem_ada';

/** The approvals and rules of `TestSpaces`: each key once, each decision once, grants as people give them. */
export class TestApprovals {
  readonly all = new Map<string, TestApproval>();
  readonly rules: GuardrailRule[] = [];
  /** By space; what is not set is as for a new space. */
  readonly dials = new Map<string, { autonomy?: Autonomy; whenNobody?: WhenNobody }>();
  /** Whether a person who may decide is connected. */
  isAttended = true;
  #made = 0;

  constructor(private readonly tell: Tell) {}

  setRule(scope: RuleScope, scopeId: string | null, effect: EffectClass, action: RuleAction): GuardrailRule {
    const rule: GuardrailRule = { id: `grl_${++this.#made}`, scope, scopeId, effect, action };
    const known = this.rules.findIndex((old) => old.scopeId === scopeId && old.effect === effect);
    this.rules.splice(known < 0 ? this.rules.length : known, known < 0 ? 0 : 1, rule);
    return rule;
  }

  rulesFor(agentId: string | null, spaceId: string | null): GuardrailRule[] {
    const ids = { workspace: null, agent: agentId, space: spaceId };
    return this.rules.filter(({ scope, scopeId }) => scopeId === ids[scope]);
  }

  find(id: string): TestApproval {
    const approval = this.all.get(id);
    if (approval) return approval;
    throw new Fault('not_found', `There is no ${id} here.`);
  }

  async request(request: TestApproval['request']): Promise<TestApproval> {
    const known = [...this.all.values()].find(
      (old) => old.request.key === request.key || old.consumedBy === request.key,
    );
    if (known && !Bun.deepEquals(known.arguments, request.arguments)) {
      throw new Fault('conflict', `The key of ${known.id} was used for another request.`);
    }
    if (known) return known;
    const granted = request.kind === 'action' ? this.#granted(request) : undefined;
    if (granted) return granted;
    const isRefused = request.kind === 'action' && request.whenNobody === 'refuse' && !this.isAttended;
    const id = `apr_${String(++this.#made).padStart(6, '0')}`;
    const approval: TestApproval = {
      ...{ id, kind: request.kind, status: isRefused ? 'unattended' : 'pending', request },
      ...{ arguments: request.arguments, decidedBy: null, decision: null, grant: null },
      ...{ wasUnattended: isRefused, consumedBy: null },
    };
    this.all.set(id, approval);
    await this.#told('approval.requested', approval);
    return approval;
  }

  #granted(request: TestApproval['request']): TestApproval | undefined {
    const same = [...this.all.values()].filter(
      (old) =>
        old.status === 'approved' &&
        old.request.requester === request.requester &&
        old.kind === request.kind &&
        Bun.deepEquals(old.arguments, request.arguments),
    );
    const forRun = same.find(({ grant, request: { runId } }) => grant === 'run' && runId === request.runId);
    if (forRun) return forRun;
    const retry = same.find(
      ({ wasUnattended, consumedBy, request: { conversationId } }) =>
        wasUnattended && consumedBy === null && conversationId === request.conversationId,
    );
    if (retry) retry.consumedBy = request.key;
    return retry;
  }

  /** @throws Fault already_decided */
  async decide(id: string, status: 'approved' | 'refused', told: TestDecision = {}): Promise<void> {
    const approval = this.find(id);
    if (approval.status !== 'pending' && approval.status !== 'unattended') throw decided(approval);
    const { grant, ruleScope, ...decision } = told;
    const granted = status === 'approved' && approval.kind === 'action' ? (grant ?? 'once') : null;
    Object.assign(approval, { status, decision, decidedBy: ADA, grant: granted });
    if (granted === 'rule') this.#allow(approval, ruleScope ?? 'space');
    await this.#told('approval.decided', approval);
  }

  #allow({ arguments: args, request }: TestApproval, scope: RuleScope): void {
    const ids = { workspace: null, agent: request.requester.slice('agent:'.length), space: request.spaceId };
    for (const effect of EffectClasses.array().parse(args.asked)) {
      this.setRule(scope, ids[scope], effect, 'allow');
    }
  }

  /** @throws Fault already_decided */
  async supersede(id: string): Promise<void> {
    const approval = this.find(id);
    if (approval.status === 'superseded') return;
    if (approval.status !== 'pending') throw decided(approval);
    approval.status = 'superseded';
    await this.#told('approval.superseded', approval);
  }

  async supersedeOfRun(runId: string, { planExit }: { planExit: boolean }): Promise<void> {
    const open = [...this.all.values()].filter(
      ({ status, kind, request }) =>
        status === 'pending' && request.runId === runId && (planExit || kind !== 'plan_exit'),
    );
    for (const { id } of open) await this.supersede(id);
  }

  #told(type: string, { id, kind, status, request, decision, grant }: TestApproval): Promise<void> {
    const { requester, runId, rootRunId, spaceId, conversationId, arguments: args } = request;
    const where = { requester, runId, rootRunId, spaceId, conversationId };
    return this.tell(type, id, { kind, status, ...where, decision, grant, arguments: args });
  }
}

function decided({ id, status }: TestApproval): Fault {
  return new Fault('already_decided', `${id} is ${status}.`);
}
