import { join } from 'node:path';
import { createWorld, founded, type Json, until, type World } from '../e2e/world.ts';
import type { ScriptedModel } from '../model/server.ts';
import type { BenchRow } from './core.bench.ts';
import { limitRow } from './limit.ts';
import { loadScript, TURNS } from './load/load-script.ts';
import { cpuMicrosOf, residentMegabytes } from './load/process-facts.ts';

const BARE_LOOP = join(import.meta.dir, 'load/bare-loop.ts');
/** How long the model takes to begin an answer: not at all, a tenth of a second, and about what a fast one takes. */
const DELAYS = [0, 100, 1_000];
const RUNS = [1, 10, 100];
const ROUNDS = 3;
const MOST_RUNS = 100;
const MOST_MEGABYTES = 600;
/** At most this many times as long as a bare loop takes, for the slowest of the models. */
const GOAL = 1.3;

/** Means over all turns of all runs, a turn from one request to the next. */
interface Turned {
  wallMs: number;
  cpuMs: number;
}

/**
 * Runs side by side in a server process, next to as many bare loops over the SDK in one process of their own, both against
 * the scripted model of this process.
 */
export async function loadBench(): Promise<BenchRow[]> {
  const world = await createWorld(loadScript(0), { CONTROL_CENTER_CONCURRENCY: String(MOST_RUNS) });
  try {
    const office = await createOffice(world);
    const rows: BenchRow[] = [];
    for (const delayMs of DELAYS) {
      world.model.setScript(loadScript(delayMs));
      for (const runs of RUNS) rows.push(...(await compared(office, runs, delayMs)));
    }
    return [...rows, limitRow(`memory of ${MOST_RUNS} live runs`, office.megabytes, MOST_MEGABYTES, 'MB')];
  } finally {
    await world.end();
  }
}

interface Office {
  world: World;
  ws: string;
  agentId: string;
  conversations: string[];
  /** Of the server, the most in each round with all runs live. */
  megabytes: number[];
}

/** A run has its conversation to itself, so there are as many of them as runs. */
async function createOffice(world: World): Promise<Office> {
  const { ws, agents } = await founded(world, 'load');
  const agentId = agents.engineer!;
  const conversations: string[] = [];
  for (let i = 0; i < MOST_RUNS; i++) {
    const space = await world.ok('POST', `${ws}/spaces`, { name: `room ${i}`, agents: [agentId] });
    conversations.push(space.mainConversationId);
  }
  return { world, ws, agentId, conversations, megabytes: [] };
}

async function compared(office: Office, runs: number, delayMs: number): Promise<BenchRow[]> {
  const rounds: { ours: Turned; bare: Turned }[] = [];
  // Where the model takes no time the first round is for compiling.
  const warmUp = delayMs === 0 ? 1 : 0;
  for (let round = 0; round < ROUNDS + warmUp; round++) {
    const bare = await bareRound(office.world.model, runs);
    rounds.push({ bare, ours: await ourRound(office, runs) });
  }
  const counted = rounds.slice(warmUp);
  const floor = delayMs === Math.max(...DELAYS) ? GOAL : null;
  const name = `${runs} ${runs === 1 ? 'run' : 'runs'}, model of ${delayMs} ms: `;
  return [
    ratioRow(`${name}time a turn over a bare loop`, counted, 'wallMs', floor),
    ratioRow(`${name}CPU time a turn over a bare loop`, counted, 'cpuMs', null),
  ];
}

async function bareRound(model: ScriptedModel, runs: number): Promise<Turned> {
  const from = model.requests.length;
  const child = Bun.spawn([process.execPath, BARE_LOOP, model.url, String(runs)], { stdout: 'pipe' });
  const { cpuMicros } = (await new Response(child.stdout).json()) as { cpuMicros: number };
  await child.exited;
  return turned(model, from, runs, cpuMicros);
}

async function ourRound({ world, ws, ...office }: Office, runs: number): Promise<Turned> {
  const { model, server } = world;
  const from = model.requests.length;
  const cpuBefore = cpuMicrosOf(server.pid);
  const made = await Promise.all(
    office.conversations.slice(0, runs).map((conversationId) =>
      world.ok('POST', `${ws}/runs`, {
        ...{ agentId: office.agentId, conversationId, prompt: 'TOOLS' },
        trigger: { kind: 'userMessage' },
      }),
    ),
  );
  let most = 0;
  await until(
    async () => {
      await Bun.sleep(100);
      most = Math.max(most, residentMegabytes(server.pid));
      return model.requests.slice(from).filter((request) => request.turn === TURNS).length;
    },
    (last) => last === runs,
    600_000,
  );
  const cpuMicros = cpuMicrosOf(server.pid) - cpuBefore;
  if (runs === MOST_RUNS) office.megabytes.push(most);
  await until(
    () => world.ok('GET', `${ws}/runs/${made.at(-1)!.id}`),
    ({ endedAt }: Json) => endedAt !== null,
  );
  return turned(model, from, runs, cpuMicros);
}

function turned(model: ScriptedModel, from: number, runs: number, cpuMicros: number): Turned {
  const requests = model.requests.slice(from);
  const byRun = Map.groupBy(requests, ({ body }) => body.metadata?.user_id);
  if (byRun.size !== runs || requests.length !== runs * (TURNS + 1))
    throw new Error(`${requests.length} requests of ${byRun.size} runs came`);
  const times = [...byRun.values()].map((own) => (own.at(-1)!.at - own[0]!.at) / TURNS);
  model.requests.length = 0;
  const wallMs = times.reduce((sum, time) => sum + time, 0) / runs;
  return { wallMs, cpuMs: cpuMicros / 1_000 / (runs * TURNS) };
}

function ratioRow(
  name: string,
  rounds: readonly { ours: Turned; bare: Turned }[],
  what: keyof Turned,
  goal: number | null,
): BenchRow {
  const ratios = rounds.map(({ ours, bare }) => bare[what] / ours[what]).toSorted((a, b) => a - b);
  const middle = rounds[Math.floor(rounds.length / 2)]!;
  return {
    name,
    ratio: ratios[Math.floor(ratios.length / 2)]!,
    p10: ratios[0]!,
    p90: ratios.at(-1)!,
    floor: goal === null ? null : 1 / goal,
    unit: 'bare ÷ ours',
    detail: `ours ${middle.ours[what].toFixed(1)} ms, bare ${middle.bare[what].toFixed(1)} ms`,
  };
}
