import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ModelScript } from '../../../test/model/script.ts';
import { startScriptedModel } from '../../../test/model/server.ts';
import { demoModelsFile } from '../../demo/demo-models.ts';
import { CCTL, cctlEnvironment, type Ran, runCctl } from './run-cctl.ts';

export interface Served {
  url: string;
  ownerToken: string | null;
  signInUrl: string | null;
  /** Ends it in good order; gives its exit status. */
  stop(): Promise<number>;
  /** `cctl` against it. */
  cctl(...args: string[]): Promise<Ran>;
}

/** A data directory with a scripted model, and real servers on it, each by `cctl serve`. */
export interface ServerStage {
  home: string;
  env: Record<string, string>;
  serve(args?: string[]): Promise<Served>;
  /** Also after a test that failed: a server left behind would hold the data directory of the next. */
  killAll(): Promise<void>;
  remove(): Promise<void>;
}

export function createServerStage(script: ModelScript): ServerStage {
  const home = mkdtempSync(join(tmpdir(), 'cctl-server-'));
  const model = startScriptedModel(script);
  const dataDir = join(home, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  writeFileSync(join(dataDir, 'models.json'), demoModelsFile(model.url));
  const env = { CONTROL_CENTER_DATA: dataDir, CONTROL_CENTER_TOKEN: '', CONTROL_CENTER_PORT: '0' };
  let children: Bun.Subprocess[] = [];
  return {
    home,
    env,
    async serve(args = []) {
      const child = Bun.spawn([process.execPath, CCTL, 'serve', '--json', ...args], {
        ...{ env: cctlEnvironment(env), stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' },
      });
      children.push(child);
      const { value } = await child.stdout.getReader().read();
      const { url, ownerToken, signInUrl } = JSON.parse(new TextDecoder().decode(value)) as Served;
      const stop = () => {
        child.kill('SIGTERM');
        return child.exited;
      };
      const cctl = (...words: string[]) => runCctl([...words, '--url', url], env);
      return { url, ownerToken, signInUrl, stop, cctl };
    },
    async killAll() {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(children.map((child) => child.exited));
      children = [];
    },
    async remove() {
      await model.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
