import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createEmbeddedRunner, type EmbeddedRunner } from './embedded.ts';
import { createFixture, type Fixture } from './repository-fixture.ts';
import type { RunCommand } from './runner.ts';

let fixture: Fixture;
let runner: EmbeddedRunner;
let enclosed = false;

beforeAll(async () => {
  fixture = await createFixture();
  const { sandbox } = await createEmbeddedRunner({ dataDir: fixture.dataDir }).probe();
  enclosed = sandbox.backend !== null;
  if (!enclosed) process.stderr.write(`skipped: commands in a sandbox: ${sandbox.reason}\n`);
  fixture.remove();
});

/** Pids of live processes whose command line holds the text. */
function processesWith(text: string): string[] {
  const found = Bun.spawnSync(['pgrep', '-f', '--', text]).stdout.toString().trim();
  return found === '' ? [] : found.split('\n');
}

function run(command: string, more: Partial<RunCommand> = {}) {
  return runner.runCommand(fixture.ref(), { command, timeoutMs: 20_000, readOnly: false, ...more });
}

for (const sandbox of ['auto', 'none'] as const) {
  describe(`commands, sandbox ${sandbox}`, () => {
    beforeEach(async () => {
      fixture = await createFixture({
        'a.txt': 'a\n',
        'x.test.ts': "import { test } from 'bun:test';\ntest('x', () => {});\n",
      });
      runner = createEmbeddedRunner({ dataDir: fixture.dataDir, sandbox });
      await runner.openWorktree(fixture.opening());
    });
    afterEach(async () => {
      await runner.close();
      fixture.remove();
    });

    test('a command answers its output in order, its exit code and where it ran', async () => {
      const done = await run('echo out; echo err >&2; echo again; echo > /dev/stderr; pwd; exit 3');
      const { path } = await runner.openWorktree(fixture.opening());
      expect(done).toEqual({
        exitCode: 3,
        signal: null,
        timedOut: false,
        cancelled: false,
        output: `out\nerr\nagain\n\n${path}\n`,
        truncated: false,
        fullOutputPath: null,
        durationMs: expect.any(Number),
        sandboxed: sandbox === 'auto' && enclosed,
      });
    });

    test('many commands at once each keep their exit code', async () => {
      const done = await Promise.all(Array.from({ length: 12 }, (_, i) => run(`exit ${i}`)));
      expect(done.map(({ exitCode }) => exitCode)).toEqual(Array.from({ length: 12 }, (_, i) => i));
    });

    test('nothing of the server is in the environment, and bun is there', async () => {
      process.env.RUNNER_TEST_SECRET = 'sk-hidden';
      try {
        const done = await run(
          'env; cat /proc/*/environ 2>/dev/null | tr "\\0" "\\n" | grep -c sk-hidden; bun test x 2>&1 | grep -c "1 pass"',
        );
        expect(done.output).not.toContain('RUNNER_TEST_SECRET');
        if (done.sandboxed) expect(done.output).toEndWith('\n0\n1\n');
        else expect(done.output).toEndWith('\n1\n');
      } finally {
        delete process.env.RUNNER_TEST_SECRET;
      }
    });

    test('HOME and TMPDIR are the conversation’s own and last from one command to the next', async () => {
      await run('echo kept > ~/note; echo kept > $TMPDIR/note');
      expect(await run('cat ~/note $TMPDIR/note')).toMatchObject({ output: 'kept\nkept\n' });
      await runner.openWorktree(fixture.opening('c2'));
      const other = { command: 'ls ~/note $TMPDIR/note', timeoutMs: 9_000, readOnly: true };
      expect(await runner.runCommand(fixture.ref('c2'), other)).toMatchObject({ exitCode: 2 });
    });

    test('cancel ends everything within two seconds, grandchildren of nohup and setsid too', async () => {
      const stop = new AbortController();
      const seconds = `${Math.floor(Math.random() * 1e6)}98765`;
      const command = `setsid -f sleep ${seconds}; (nohup setsid sleep ${seconds} &); env -i setsid -f sleep ${seconds} >/dev/null; echo up; sleep ${seconds}`;
      const running = run(command, {
        signal: stop.signal,
        onOutput: (chunk) => {
          if (!chunk.includes('up')) return;
          expect(processesWith(`sleep ${seconds}`).length).toBeGreaterThanOrEqual(3);
          stop.abort();
        },
      });
      const started = await new Promise<number>((resolve) => {
        stop.signal.addEventListener('abort', () => resolve(performance.now()));
      });
      expect(await running).toMatchObject({
        cancelled: true,
        timedOut: false,
        exitCode: null,
        signal: 'SIGKILL',
      });
      expect(performance.now() - started).toBeLessThan(2_000);
      // Outside a sandbox a process that sheds its environment, session and output at once is beyond what can be known.
      const survivors = processesWith(`sleep ${seconds}`);
      expect(survivors.length).toBeLessThanOrEqual(sandbox === 'auto' && enclosed ? 0 : 1);
      for (const pid of survivors) process.kill(Number(pid), 'SIGKILL');
    });

    test('a timeout keeps what was said until then', async () => {
      const done = await run('echo before; sleep 60', { timeoutMs: 300 });
      expect(done).toMatchObject({ timedOut: true, cancelled: false, exitCode: null, output: 'before\n' });
      expect(done.durationMs).toBeLessThan(2_500);
    });

    test('a command that is cancelled before it starts does not run', async () => {
      const done = await run('touch ran', { signal: AbortSignal.abort() });
      expect(done).toMatchObject({ cancelled: true, output: '' });
      expect(await runner.gitStatus(fixture.ref())).toMatchObject({ dirty: [] });
    });

    test('a command ends with its first process; what it left in the background is ended', async () => {
      const seconds = `${Math.floor(Math.random() * 1e6)}87654`;
      const done = await run(`sleep ${seconds} & setsid -f sleep ${seconds}; echo done`);
      expect(done).toMatchObject({ exitCode: 0, output: 'done\n' });
      expect(done.durationMs).toBeLessThan(2_500);
      expect(processesWith(`sleep ${seconds}`)).toEqual([]);
    });

    test('long output keeps head and tail, says the cut, and is whole on the disk', async () => {
      let streamed = 0;
      const done = await run('echo first; head -c 3000000 /dev/zero | tr "\\0" x; echo; echo last', {
        onOutput: (chunk) => {
          streamed += chunk.length;
        },
      });
      expect(done.truncated).toBe(true);
      expect(Buffer.byteLength(done.output)).toBeLessThanOrEqual(30_000);
      expect(done.output).toStartWith('first\nxxx');
      expect(done.output).toEndWith('xxx\nlast\n');
      expect(done.output).toContain('bytes left out here; the whole is kept in a file');
      expect((await stat(done.fullOutputPath ?? '')).size).toBe(3_000_012);
      expect(streamed).toBe(3_000_012);
    });

    test('closing the runner ends every command', async () => {
      const seconds = `${Math.floor(Math.random() * 1e6)}76543`;
      const up = Promise.withResolvers<void>();
      const running = run(`setsid -f sleep ${seconds}; echo up; sleep ${seconds}`, {
        onOutput: () => up.resolve(),
      });
      await up.promise;
      await runner.close();
      expect(await running).toMatchObject({ cancelled: true });
      expect(processesWith(`sleep ${seconds}`)).toEqual([]);
      await expect(run('true')).rejects.toMatchObject({ code: 'unavailable' });
    });

    test('a command that cannot be run as asked is refused', async () => {
      await expect(run('true', { timeoutMs: 0 })).rejects.toMatchObject({ code: 'invalid_request' });
      await expect(run('a\0b')).rejects.toMatchObject({ code: 'invalid_request' });
      await expect(run(`true ${'x'.repeat(200_000)}`)).rejects.toMatchObject({ code: 'too_large' });
      const unknown = runner.runCommand(fixture.ref('c9'), { command: 'true', timeoutMs: 9, readOnly: true });
      await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
    });

    test('an error of the listener ends the command and reaches the caller', async () => {
      const seconds = `${Math.floor(Math.random() * 1e6)}65432`;
      const running = run(`echo up; sleep ${seconds}`, {
        onOutput: () => {
          throw new Error('the listener broke');
        },
      });
      await expect(running).rejects.toThrow('the listener broke');
      expect(processesWith(`sleep ${seconds}`)).toEqual([]);
    });

    test('ten commands at once in one worktree do not disturb each other', async () => {
      const all = await Promise.all(
        Array.from({ length: 10 }, (_, n) => run(`sleep 0.3; echo ${n} > f${n}; cat f${n}`)),
      );
      expect(all.map((one) => one.output)).toEqual(Array.from({ length: 10 }, (_, n) => `${n}\n`));
    });
  });
}

test('a command leaves no open file behind in the server, however it ends', async () => {
  fixture = await createFixture();
  runner = createEmbeddedRunner({ dataDir: fixture.dataDir });
  await runner.openWorktree(fixture.opening());
  await run('true');
  const count = () => readdirSync('/proc/self/fd').length;
  const before = count();
  for (const command of ['true', 'false', 'sleep 9', 'yes', 'sleep 99 &'])
    await run(command, { timeoutMs: 100 });
  await run('true', { signal: AbortSignal.abort() });
  expect(count()).toBeLessThanOrEqual(before + 1);
  fixture.remove();
});

test('the whole output file is not made for short output', async () => {
  fixture = await createFixture();
  runner = createEmbeddedRunner({ dataDir: fixture.dataDir });
  await runner.openWorktree(fixture.opening());
  await run('echo short');
  const output = join(fixture.dataDir, 'workspaces/ws/worktrees/c1/output');
  await expect(readFile(output)).rejects.toMatchObject({ code: 'ENOENT' });
  fixture.remove();
});
