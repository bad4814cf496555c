import { expect, test } from 'bun:test';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { git, runRepositoryTests } from '../../scripts/demo/demo-repository.ts';
import { demoScript } from '../../scripts/demo/demo-script.ts';
import type { ModelScript } from '../model/script.ts';
import { type Mounted, tmpfs } from './mounts.ts';
import { ownerToken, startServerProcess } from './server-process.ts';
import { createStage, runApprovedJob, type Stage } from './stage.ts';
import { type Answer, call, type Json, until } from './world.ts';

const MEGABYTES = 48;

/** The demo, whose engineer is slow enough at one answer for the disk to be filled meanwhile. */
const SLOW: ModelScript = {
  ...demoScript,
  dialogues: demoScript.dialogues.map((dialogue) =>
    dialogue.name === 'Fix the invoice total'
      ? {
          ...dialogue,
          turns: dialogue.turns.map((turn, i) => (i === 1 ? { ...turn, delayMs: 1_500 } : turn)),
        }
      : dialogue,
  ),
};

test('a disk that fills up during a job is one clear fault; with room again, the job goes on to its end', async () => {
  let mounted: Mounted | null = null;
  const stage = createStage(SLOW, (dataDir) => {
    mounted = tmpfs(dataDir, MEGABYTES);
  });
  try {
    if (mounted) await throughFullDisk(stage);
  } finally {
    await stage.remove().catch(() => undefined);
    (mounted as Mounted | null)?.release();
  }
}, 60_000);

async function throughFullDisk(stage: Stage): Promise<void> {
  const server = await startServerProcess(stage.env);
  try {
    const { client, result } = runApprovedJob(stage, () => server.url);
    await stage.model.waitForRequest(
      ({ dialogue, turn }) => dialogue === 'Fix the invoice total' && turn === 1,
      30_000,
    );
    const api = (method: string, path: string, body?: unknown) =>
      call(server.url, method, path, body, { authorization: `Bearer ${ownerToken(stage.dataDir)}` });
    const ws = `/api/workspaces/${(await client.workspaces())[0]?.id}`;
    const before = await eventsOf(api, ws);
    const filler = fill(stage.dataDir);
    const large = { title: 'one more', description: 'x'.repeat(500_000) };
    const refused = await until(
      () => api('POST', `${ws}/tickets`, large),
      ({ status }) => status !== 201,
    );
    expect(refused).toMatchObject({
      status: 507,
      body: { code: 'disk_full', retryable: true, detail: expect.stringContaining('workspace.db') },
    });
    // The work itself has met it too.
    await until(
      async () => server.stderr(),
      (log) => /disk (\S+ )*(is )?full/.test(log),
    );
    expect(await api('GET', '/api/me')).toMatchObject({ status: 200 });
    expect((await eventsOf(api, ws)).slice(0, before.length)).toEqual(before);
    rmSync(filler);
    expect(await api('POST', `${ws}/tickets`, large)).toMatchObject({ status: 201 });
    const job = await resumedToItsEnd(result, api, ws);
    expect(job.end).toBe('completed');
    expect(job.orchestration).toMatchObject({ status: 'completed', gaps: [] });
    expect((await eventsOf(api, ws)).slice(0, before.length)).toEqual(before);
    git(stage.repository, 'merge', '-q', '--ff-only', String(job.orchestration?.branch));
    expect(runRepositoryTests(stage.repository).passed).toBe(true);
  } catch (error) {
    process.stderr.write(server.stderr().slice(-6000));
    throw error;
  } finally {
    server.kill();
    await server.exited;
  }
}

type Api = (method: string, path: string, body?: unknown) => Promise<Answer>;

async function eventsOf(api: Api, ws: string): Promise<Json[]> {
  return (await api('GET', `${ws}/events?limit=1000`)).body.items;
}

/** Lets every paused run go on, as a person does, until the job has ended. */
async function resumedToItsEnd<T>(result: Promise<T>, api: Api, ws: string): Promise<T> {
  let ended = false;
  const watch = result.finally(() => (ended = true));
  await until(
    async () => {
      const { body } = await api('GET', `${ws}/runs?status=paused`);
      for (const run of body.items as Json[]) {
        expect(run).toMatchObject({
          errorFamily: 'toolFailure',
          summary: expect.stringMatching(/disk.* full/),
        });
        await api('POST', `${ws}/runs/${run.id}/resume`);
      }
      return ended;
    },
    (is) => is,
    40_000,
  );
  return watch;
}

/** Takes all room there is. */
function fill(directory: string): string {
  const path = join(directory, 'filler');
  const file = openSync(path, 'w');
  try {
    for (let size = 1 << 20; size >= 1; size >>= 4) {
      const bytes = Buffer.alloc(size);
      for (;;) if (writeSync(file, bytes) < size) break;
    }
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
  return path;
}
