import { expect, spyOn, test } from 'bun:test';
import { queryClient } from '../api/queries.ts';
import { lookAtMoving } from './moving.ts';

const told = (type: string, orchestrationId?: string) => ({
  ...{ seq: 1, at: 1, actor: 'agent:agt_1', type, subject: 'run_1', data: { orchestrationId } },
});
const soon = () => new Promise((done) => setTimeout(done, 150));

test('of many events of runs and steps each orchestration is looked at once, alone, and not again while a look goes on', async () => {
  const over = Promise.withResolvers<void>();
  const looks = spyOn(queryClient, 'invalidateQueries').mockImplementation(() => over.promise);
  const moving = lookAtMoving('ws_1');
  try {
    for (let i = 0; i < 500; i++) moving.take(told(i % 2 ? 'run.ended' : 'step.done', `orc_${i % 2}`));
    for (const event of [
      told('run.ended'),
      told('message.posted', 'orc_2'),
      told('pipeline.started', 'orc_2'),
    ])
      moving.take(event);
    await soon();
    const ids = looks.mock.calls.map(([filters]) => [filters?.queryKey, filters?.exact]);
    expect(ids).toEqual([
      [['orchestrations', 'ws_1', 'orc_0'], true],
      [['orchestrations', 'ws_1', 'orc_1'], true],
    ]);
    moving.take(told('run.paused', 'orc_1'));
    await soon();
    expect(looks).toHaveBeenCalledTimes(2);
  } finally {
    moving.stop();
    over.resolve();
    looks.mockRestore();
  }
});
