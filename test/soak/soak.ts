import { residentMegabytes } from '../bench/load/process-facts.ts';
import { createStage } from '../e2e/stage.ts';
import type { ScriptedModel } from '../model/server.ts';
import { findingsOf, moneyFindings } from './findings.ts';
import { Lives } from './lives.ts';
import { growthOf, isFlat, type MemorySample } from './memory.ts';
import { type Office, openOffice } from './office.ts';
import { answerQuestions, type Log, person } from './people.ts';
import { processesWith } from './processes.ts';
import { ORPHAN_SECONDS, soakScript } from './soak-script.ts';

export interface SoakOptions {
  /** Of work with failures; what was begun may then take its time to come to rest. */
  minutes: number;
  agents: number;
  /** In the first half the server is killed about so often; the second leaves it alone, so that its memory can be watched. */
  killEverySeconds: number;
  say(line: string): void;
}

export interface SoakReport {
  messages: number;
  runs: number;
  /** By status. */
  ends: Record<string, number>;
  kills: number;
  cancels: number;
  pauses: number;
  modelRequests: number;
  /** Megabytes, early and late in the part without kills, and the most; null when that part was too short to tell. */
  memory: { early: number; late: number; most: number } | null;
  findings: string[];
}

const REST_LIMIT_MS = 300_000;
const REST_LOOK_MS = 1_000;
const SAMPLE_MS = 1_000;
const MINUTE_MS = 60_000;

/** Many agents at work for long, with a model that fails, people who meddle, and a server that is killed. */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const calm = { isCalm: false };
  const stage = createStage(soakScript(() => calm.isCalm));
  const lives = new Lives({ ...stage.env, CONTROL_CENTER_CONCURRENCY: String(options.agents) });
  const requests = watchRequests(stage.model);
  const log: Log = { posted: [], cancels: 0, pauses: 0, failures: [] };
  try {
    await lives.begin();
    const office = await openOffice(stage, lives, options.agents);
    const samples = await work(options, office, lives, log);
    calm.isCalm = true;
    options.say(`${log.posted.length} messages, ${lives.kills} kills; coming to rest`);
    await comeToRest(office);
    const growth = growthOf(samples);
    const runs = await office.all(`${office.ws}/runs`);
    const findings = [
      ...log.failures,
      ...(await findingsOf(office, log)),
      ...(await moneyFindings(office)),
      ...orphansOf(String(ORPHAN_SECONDS)),
      ...requests.problems,
      ...(growth && !isFlat(growth) ? [`memory grew from ${growth.early} to ${growth.late} MB`] : []),
    ];
    await lives.end();
    findings.push(...lives.deaths, ...orphansOf(stage.dataDir));
    return {
      ...{ messages: log.posted.length, runs: runs.length, ends: countBy(runs.map(({ status }) => status)) },
      ...{ kills: lives.kills, cancels: log.cancels, pauses: log.pauses, modelRequests: requests.count() },
      memory: growth && { ...growth, most: Math.max(...samples.map(({ megabytes }) => megabytes)) },
      findings,
    };
  } finally {
    await lives.end();
    requests.end();
    await stage.remove();
  }
}

async function work(options: SoakOptions, office: Office, lives: Lives, log: Log): Promise<MemorySample[]> {
  const startedAt = Date.now();
  const endsAt = startedAt + options.minutes * MINUTE_MS;
  const halfAt = (startedAt + endsAt) / 2;
  const hasStopped = () => Date.now() > endsAt;
  const samples: MemorySample[] = [];
  const kill = async () => {
    while (Date.now() < halfAt) {
      await Bun.sleep((0.5 + Math.random()) * options.killEverySeconds * 1_000);
      if (Date.now() >= halfAt) return;
      await lives.kill();
      options.say(`kill ${lives.kills}, ${log.posted.length} messages so far`);
    }
  };
  const sample = async () => {
    for (; !hasStopped(); await Bun.sleep(SAMPLE_MS))
      // The last kill may come just before the half is over and end after it.
      if (Date.now() > halfAt && lives.pid !== null)
        samples.push({ atMs: Date.now() - halfAt, megabytes: Math.round(residentMegabytes(lives.pid)) });
  };
  const people = office.rooms.map((room, i) => person(office, room, i + 1, log, hasStopped));
  await Promise.all([...people, kill(), sample()]);
  return samples;
}

/** Answers what is still asked, lets go on what is paused, and waits until nothing is at work. */
async function comeToRest(office: Office): Promise<void> {
  const giveUpAt = Date.now() + REST_LIMIT_MS;
  for (let isQuiet = false; !isQuiet && Date.now() < giveUpAt; await Bun.sleep(REST_LOOK_MS)) {
    const open = (await office.all(`${office.ws}/runs`)).filter(({ endedAt }) => endedAt === null);
    await answerQuestions(office, open);
    for (const { id, status } of open)
      if (status === 'paused')
        await office.ok('POST', `${office.ws}/runs/${id}/resume`).catch(() => undefined);
    isQuiet = open.length === 0;
  }
  // What a run that ended has left to be told may still be on its way.
  await Bun.sleep(REST_LOOK_MS);
}

function orphansOf(word: string): string[] {
  return processesWith(word).map((pid) => `process ${pid} of ${word} is left`);
}

function countBy(words: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(words, (word) => word)].map(([word, all]) => [word, all.length]));
}

/** Looks over what the model was sent and lets it go, so that hours of it fit in memory. */
function watchRequests(model: ScriptedModel) {
  const problems: string[] = [];
  let seen = 0;
  const look = () => {
    for (const { problem, path } of model.requests)
      if (problem !== null) problems.push(`${path}: ${problem}`);
    seen += model.requests.length;
    model.requests.length = 0;
  };
  const timer = setInterval(look, SAMPLE_MS);
  const count = () => {
    look();
    return seen;
  };
  return { problems, count, end: () => clearInterval(timer) };
}
