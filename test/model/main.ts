import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { isRecord } from './is-record.ts';
import type { ModelScript } from './script.ts';
import { startScriptedModel } from './server.ts';

const USAGE = 'Usage: bun test/model/main.ts SCRIPT_MODULE [--port N]';

function isModelScript(value: unknown): value is ModelScript {
  return isRecord(value) && typeof value.name === 'string' && Array.isArray(value.dialogues);
}

async function loadScript(path: string): Promise<ModelScript> {
  const module: unknown = await import(pathToFileURL(resolve(path)).href);
  const script = isRecord(module) ? module.default : undefined;
  if (isModelScript(script)) return script;
  throw new Error(`${path}: the default export must be a script with a name and a list of dialogues`);
}

function portOf(text: string | undefined): number {
  const port = Number(text ?? 0);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Error(`--port must be a whole number from 0 to 65535, got "${text}". ${USAGE}`);
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { port: { type: 'string' } },
  });
  const [path, ...rest] = positionals;
  if (path === undefined || rest.length > 0) throw new Error(USAGE);
  const model = startScriptedModel(await loadScript(path), { port: portOf(values.port) });
  process.stdout.write(`${JSON.stringify({ url: model.url })}\n`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      void model.stop();
    });
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
