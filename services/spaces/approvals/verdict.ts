import * as z from 'zod';
import { EffectClass, type RuleScope } from '../../../core-wasm/core.ts';
import { actorId } from '../../kit/actor.ts';
import { Fault } from '../../kit/fault.ts';
import { isAgent } from '../permission.ts';
import type { RuleGrant, Verdict } from './deciding.ts';
import type { Approval, Decision, NewDecision } from './schema.ts';

const REVISABLE = ['orchestration', 'plan_exit'];
const Asked = z.object({ asked: z.array(EffectClass).min(1) });

/**
 * What a person's decision means for this approval.
 * @throws Fault invalid_request when it does not fit the approval's kind
 */
export function verdictOf(approval: Approval, input: NewDecision): Verdict {
  const { kind } = approval;
  if (input.decision === 'changesRequested' && !REVISABLE.includes(kind))
    throw unfit(
      'decision',
      `changes can be requested of ${REVISABLE.join(' and ')} only, and this is ${kind}`,
    );
  if (input.grant !== undefined && kind !== 'action')
    throw unfit('grant', `an action alone has one, and this is ${kind}`);
  const isYes = input.decision === 'approved';
  const grant = isYes && kind === 'action' ? (input.grant ?? 'once') : null;
  return {
    status: isYes ? 'approved' : 'refused',
    decision: decisionOf(input),
    grant,
    rules: grant === 'rule' ? rulesOf(approval, input.ruleScope ?? 'space') : null,
  };
}

function decisionOf({ decision, reason, answer }: NewDecision): Decision {
  return {
    ...(reason !== undefined && { reason }),
    ...(answer !== undefined && { answer }),
    ...(decision === 'changesRequested' && { changesRequested: true as const }),
  };
}

function rulesOf(approval: Approval, scope: RuleScope): RuleGrant {
  const asked = Asked.safeParse(approval.arguments);
  if (!asked.success) throw unfit('grant', 'the approval names no effect classes that a rule could allow');
  return { scope, scopeId: scopeIdOf(approval, scope), effects: [...new Set(asked.data.asked)] };
}

function scopeIdOf({ requester, spaceId }: Approval, scope: RuleScope): string | null {
  if (scope === 'workspace') return null;
  if (scope === 'agent') {
    if (isAgent(requester)) return actorId(requester);
    throw unfit('ruleScope', 'the requester is no agent; choose `space` or `workspace`');
  }
  if (spaceId !== null) return spaceId;
  throw unfit('ruleScope', 'the request comes from no space; choose `agent` or `workspace`');
}

function unfit(path: string, message: string): Fault {
  return new Fault('invalid_request', `The decision does not fit the approval: ${path}: ${message}.`, {
    faults: [{ path, message }],
  });
}
