import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { denoProgram, workerdProgram } from './binaries.ts';
import type { CoreDigest } from './core-digest.ts';

const LIMIT_MS = 60_000;

/** Bundles an entry (a path, from this folder) into one ES module; returns its text. */
export async function bundle(entry: string): Promise<string> {
  const entrypoints = [resolve(import.meta.dir, entry)];
  const built = await Bun.build({ entrypoints, target: 'browser', format: 'esm', minify: true });
  const [output] = built.outputs;
  if (!built.success || output === undefined)
    throw new Error(`${entry} does not bundle: ${built.logs.join('\n')}`);
  return output.text();
}

async function printed(command: string[]): Promise<CoreDigest> {
  const child = Bun.spawn(command, {
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: LIMIT_MS,
    env: { PATH: '/usr/bin:/bin' },
  });
  const [out, err, code] = await Promise.all([
    Bun.readableStreamToText(child.stdout),
    Bun.readableStreamToText(child.stderr),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${err}`);
  return JSON.parse(out);
}

export async function inBun(folder: string): Promise<CoreDigest> {
  const file = join(folder, 'bun.js');
  await writeFile(file, await bundle('on-console.ts'));
  return printed([process.execPath, file]);
}

/** Deno without a single permission: the core needs none. */
export async function inDeno(folder: string): Promise<CoreDigest> {
  const file = join(folder, 'deno.js');
  await writeFile(file, await bundle('on-console.ts'));
  return printed([denoProgram(), 'run', '--no-prompt', '--no-config', '--no-lock', '--cached-only', file]);
}

const WORKERD_CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (modules = [(name = "main.js", esModule = embed "worker.js")],
    compatibilityDate = "2025-06-01"))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
`;

/** Reads workerd's control messages until it says on which port it listens. */
async function listeningPort(messages: ReadableStream<Uint8Array>): Promise<number> {
  let text = '';
  for await (const chunk of messages) {
    text += new TextDecoder().decode(chunk);
    const port = /"event":"listen"[^\n]*"port":(\d+)/.exec(text)?.[1];
    if (port !== undefined) return Number(port);
  }
  throw new Error(`workerd ended before it listened: ${text}`);
}

export async function inWorkerd(folder: string): Promise<CoreDigest> {
  await writeFile(join(folder, 'worker.js'), await bundle('on-worker.ts'));
  await writeFile(join(folder, 'config.capnp'), WORKERD_CONFIG);
  const command = [workerdProgram(), 'serve', '--control-fd=1', join(folder, 'config.capnp')];
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'pipe', timeout: LIMIT_MS });
  try {
    const port = await listeningPort(child.stdout);
    const response = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(LIMIT_MS) });
    if (!response.ok) throw new Error(`workerd answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as CoreDigest;
  } finally {
    child.kill();
    await child.exited;
  }
}

const CHROMIUM_FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
];

function servePage(script: string, policy: string) {
  const headers = { 'content-security-policy': policy };
  const page =
    '<!doctype html><title>core</title><output></output><script type="module" src="/page.js"></script>';
  return Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    routes: {
      '/': new Response(page, { headers: { ...headers, 'content-type': 'text/html' } }),
      '/page.js': new Response(script, { headers: { 'content-type': 'text/javascript' } }),
    },
    fetch: () => new Response(null, { status: 404 }),
  });
}

/** Runs an entry in a page under a content security policy and gives the JSON it shows. Throws with the page's own errors when it gives no result. */
export async function runPage(executablePath: string, policy: string, entry: string): Promise<unknown> {
  const server = servePage(await bundle(entry), policy);
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
  try {
    const page = await browser.newPage();
    const broken = new Promise<never>((_, reject) => {
      page.on('pageerror', reject);
    });
    const output = page.locator('output:not(:empty)');
    const shown = page
      .goto(server.url.href)
      .then(() => output.waitFor({ state: 'attached', timeout: LIMIT_MS }));
    await Promise.race([shown, broken]);
    return JSON.parse((await output.textContent()) ?? '');
  } finally {
    await browser.close();
    await server.stop(true);
  }
}

export async function inChromium(executablePath: string, policy: string): Promise<CoreDigest> {
  return (await runPage(executablePath, policy, 'on-page.ts')) as CoreDigest;
}
