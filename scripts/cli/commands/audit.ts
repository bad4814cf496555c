import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { followAudit, readAudit } from '../audit.ts';
import { type Cli, type CommandContext, type Outcome, onAction } from '../command.ts';
import { CommandError, usageError } from '../command-error.ts';
import { connect } from '../connect.ts';
import { EXIT } from '../exit-status.ts';
import { plainJson } from '../plain-text.ts';
import { policyPlace } from '../policy-place.ts';
import { addRemoteOptions, type RemoteOptions } from '../remote-action.ts';
import { auditLine, auditTable } from '../render/audit-table.ts';
import { sinceTime } from '../since-time.ts';
import { stopOnSignals } from '../stop-on-signals.ts';
import { wholeNumber } from '../whole-number.ts';
import { PATIENCE_MS } from './follow.ts';

interface Options extends RemoteOptions {
  export?: string;
  follow?: boolean;
  last?: string;
  since?: string;
}

const MOST = 100_000;
const LAST = 100;

export function addAudit(program: Command, cli: Cli): void {
  const command = program
    .command('audit')
    .description('who decided or changed what, when, and from where')
    .option('--last <n>', `only the newest (default: ${LAST}, or all with --since)`)
    .option('--since <when>', 'only what came since: a date, or how long ago, as 7d or 12h')
    .option('--export <file>', 'all of it to a file, one JSON document a line')
    .option('--follow', 'go on with what comes; with --json one JSON document a line');
  addRemoteOptions(command, 'name or id of the workspace (default: the only one)');
  onAction<Options>(cli, command, async (context, options) => {
    const { last, sinceMs } = limitsOf(options);
    if (options.export?.trim() === '') throw usageError('--export names no file.');
    if (options.export !== undefined && options.follow)
      throw usageError('--export and --follow exclude each other.');
    if (sinceMs !== null && (options.export !== undefined || options.follow))
      throw usageError('--since is for the list: --export writes everything, --follow goes on from now.');
    if (options.follow) return follow(context, options, last);
    const client = await connect(context.env, { url: options.url });
    const { workspaceId } = await policyPlace(client, { ...options });
    if (options.export !== undefined)
      return exportAll(context, await client.auditLines(workspaceId), options.export);
    const entries = await readAudit(client, workspaceId, 0);
    const items = entries.filter(({ at }) => at >= (sinceMs ?? 0)).slice(-last);
    return { value: { items }, text: auditTable(items) };
  });
}

/** @throws CommandError usage */
function limitsOf({ last, since }: Options): { last: number; sinceMs: number | null } {
  const sinceMs = since === undefined ? null : sinceTime(since, Date.now());
  if (last !== undefined) return { last: wholeNumber(last, '--last', 1, MOST), sinceMs };
  return { last: sinceMs === null ? LAST : Number.POSITIVE_INFINITY, sinceMs };
}

/** The file is there whole or not at all. */
async function exportAll(
  { cwd }: CommandContext,
  body: ReadableStream<Uint8Array> | null,
  path: string,
): Promise<Outcome> {
  const file = resolve(cwd, path);
  const unfinished = `${file}.${process.pid}.part`;
  let entries = 0;
  const counted = async function* (chunks: ReadableStream<Uint8Array>) {
    for await (const chunk of chunks) {
      for (const byte of chunk) if (byte === 0x0a) entries += 1;
      yield chunk;
    }
  };
  try {
    const lines = Readable.from(body === null ? [] : counted(body));
    await pipeline(lines, createWriteStream(unfinished, { mode: 0o600 }));
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    const message = `The audit log could not be written to ${JSON.stringify(file)}: ${(error as Error).message}.`;
    throw new CommandError(EXIT.failed, 'export_failed', message, { file }, { cause: error });
  }
  return { value: { file, entries }, text: `Wrote ${entries} entries to ${file}.` };
}

async function follow({ terminal, env }: CommandContext, options: Options, last: number): Promise<Outcome> {
  const stop = new AbortController();
  const release = stopOnSignals(stop);
  const { signal } = stop;
  try {
    const client = await connect(env, { url: options.url, patienceMs: PATIENCE_MS, signal });
    const { workspaceId } = await policyPlace(client, { ...options });
    return await followAudit({
      client,
      workspaceId,
      last,
      signal,
      onEntry: (entry) =>
        void process.stdout.write(`${terminal.json ? plainJson(entry) : auditLine(entry)}\n`),
    });
  } finally {
    release();
  }
}
