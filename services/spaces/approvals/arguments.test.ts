import { expect, test } from 'bun:test';
import type { PolicyDecision } from '../../../core-wasm/core.ts';
import { actionArguments } from '../../runs/guard/action-request.ts';
import type { ApprovalArguments } from './schema.ts';

const decision = {
  ...{ decision: 'ask', classes: ['process_launch', 'git_push'], asked: ['git_push'] },
  reason: 'A push needs a word.',
} as Partial<PolicyDecision> as PolicyDecision;

test('what runs ask of an action is what people are shown of it', async () => {
  const call = { callId: 'call_1', name: 'run_command', input: { command: 'push my-secret-token' } };
  const sign = async () => 'keyed';
  // The types are held against each other here: neither service may import the other's.
  const plain: ApprovalArguments['action'] = await actionArguments(call, decision, [], sign);
  expect(plain).toEqual({
    ...{ tool: 'run_command', input: call.input, classes: ['process_launch', 'git_push'] },
    ...{ asked: ['git_push'], reason: 'A push needs a word.' },
  });
  const masked: ApprovalArguments['action'] = await actionArguments(
    call,
    decision,
    ['my-secret-token'],
    sign,
  );
  expect(masked).toEqual({ ...plain, input: { command: 'push [redacted]' }, exact: 'keyed' });
});
