import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '../../scripts/cli/client/client.ts';
import { type MainJobResult, runMainJob } from '../../scripts/cli/main-job.ts';
import { demoModelsFile } from '../../scripts/demo/demo-models.ts';
import { DEMO_GOAL } from '../../scripts/demo/demo-proposal.ts';
import { createDemoRepository } from '../../scripts/demo/demo-repository.ts';
import { demoScript } from '../../scripts/demo/demo-script.ts';
import type { ModelScript } from '../model/script.ts';
import { type ScriptedModel, startScriptedModel } from '../model/server.ts';
import { ownerToken } from './server-process.ts';

/** A folder with a repository to mend, a server's data directory, and a scripted model that outlives the server. */
export interface Stage {
  dataDir: string;
  repository: string;
  model: ScriptedModel;
  /** What a server process on this stage is started with. */
  env: Record<string, string>;
  remove(): Promise<void>;
}

/**
 * @param script what the model says; the demo's unless told
 * @param mount is called with the path of the data directory before anything is in it
 */
export function createStage(
  script: ModelScript = demoScript,
  mount: (dataDir: string) => void = () => undefined,
): Stage {
  const home = mkdtempSync(join(tmpdir(), 'main-job-'));
  const dataDir = join(home, 'data');
  const repository = join(home, 'invoices');
  const model = startScriptedModel(script);
  mkdirSync(dataDir, { mode: 0o700 });
  mount(dataDir);
  writeFileSync(join(dataDir, 'models.json'), demoModelsFile(model.url));
  createDemoRepository(repository);
  return {
    dataDir,
    repository,
    model,
    env: { CONTROL_CENTER_DATA: dataDir },
    async remove() {
      await model.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** The main job against the server at `url` (which may move), approved as soon as it is proposed. */
export function runApprovedJob(
  stage: Stage,
  url: () => string,
): { client: Client; result: Promise<MainJobResult> } {
  const client = createClient({ url, token: ownerToken(stage.dataDir), patienceMs: 30_000 });
  const result = runMainJob(client, {
    workspaceName: 'job',
    repository: stage.repository,
    goal: DEMO_GOAL,
    decide: async () => 'approve',
  });
  return { client, result };
}
