import { roomMode } from '../../../core-wasm/core.ts';
import type { StepResult } from '../engine/engine.ts';
import { patchCard } from '../orchestrations/publish.ts';
import { lineOf } from '../text.ts';
import type { StartOutput, StepScope } from './step-scope.ts';

/** What a room of a step gets unless its extras pin another mode. */
const ROOM_DEFAULT = 'review';

/** Opens the discussion space and the work space, and records the commit that all work starts from. */
export async function start(scope: StepScope): Promise<StepResult> {
  const { orchestration, spaces, bench, context } = scope;
  const origin = await spaces.getSpace(orchestration.spaceId);
  const agents = [...new Set(scope.pipeline.steps.flatMap((step) => step.agentId ?? []))];
  const shared = { repositories: origin.repositories, agents, parentSpaceId: origin.id };
  const title = lineOf(orchestration.goal, 120);
  const discussion = await spaces.createSpace({
    ...{
      ...shared,
      key: `${orchestration.id}/discussion`,
      name: lineOf(`Discussion: ${title}`),
      mode: roomMode({}, ROOM_DEFAULT),
    },
  });
  const work = await spaces.createSpace({
    ...{ ...shared, key: `${orchestration.id}/work`, name: lineOf(`Work: ${title}`) },
    mode: roomMode({ mode: 'chat' }, ROOM_DEFAULT),
  });
  const repository = origin.repositories[0];
  const base = repository ? (await scope.runs.inspectRepository(repository.path)).head : null;
  await bench.store.change(context.workspaceId, orchestration.id, {
    label: 'orchestration.rooms',
    set: { discussionSpaceId: discussion.id, workSpaceId: work.id },
  });
  if (orchestration.parentTicketId) {
    await spaces.patchTicket(orchestration.parentTicketId, { status: 'inProgress' });
  }
  await patchCard(bench, context.workspaceId, orchestration.id);
  const output: StartOutput = {
    discussionSpaceId: discussion.id,
    discussionConversationId: discussion.mainConversationId,
    workSpaceId: work.id,
    base,
  };
  return { kind: 'done', output };
}
