import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../services/config.ts';
import { startServer } from '../../services/main.ts';
import { startScriptedModel } from '../../test/model/server.ts';
import { type Client, createClient } from '../cli/client/client.ts';
import { demoModelsFile } from './demo-models.ts';
import { demoScript } from './demo-script.ts';

export interface DemoServer {
  client: Client;
  stop(): Promise<void>;
}

/** A server of its own on a free port, with the scripted model, and a client of its owner. */
export async function startDemoServer(dataDir: string, signal: AbortSignal): Promise<DemoServer> {
  const model = startScriptedModel(demoScript);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(join(dataDir, 'models.json'), demoModelsFile(model.url));
  const server = await startServer(
    // Of the person's own settings only how much is logged: a model, key or peer of theirs is none of the demo's.
    loadConfig({ CONTROL_CENTER_LOG: process.env.CONTROL_CENTER_LOG }, { dataDir, port: 0 }),
  );
  const token = readFileSync(join(dataDir, 'owner-token'), 'utf8').trim();
  return {
    client: createClient({ url: server.url, token, patienceMs: 5_000, signal }),
    async stop() {
      await server.stop();
      await model.stop();
    },
  };
}
