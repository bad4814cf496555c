import { type Client, createClient } from '../client/client.ts';
import { type MainJobOptions, type MainJobResult, runMainJob } from '../main-job.ts';
import {
  type FakeServer,
  type FakeState,
  MESSAGE,
  type RecordedWrite,
  startFakeServer,
  TOKEN,
} from './fake-server.ts';
import { sampleOrchestration, sampleRun, sampleStep } from './sample.ts';

export const orchestration = sampleOrchestration();

/** A client that waits for a server that is away. */
export function startScripted(
  onWrite: FakeState['onWrite'],
  patienceMs = 10_000,
): { fake: FakeServer; client: Client } {
  const fake = startFakeServer({ onWrite });
  return { fake, client: createClient({ url: fake.url, token: TOKEN, patienceMs }) };
}

/** The main job, approved at once unless `change` says otherwise. */
export function runJob(client: Client, change: Partial<MainJobOptions> = {}): Promise<MainJobResult> {
  return runMainJob(client, {
    repository: '/somewhere',
    goal: 'Add a health endpoint',
    key: 'k',
    decide: async () => 'approve',
    signal: AbortSignal.timeout(20_000),
    ...change,
  });
}

/** The leading agent proposes. */
export function propose(fake: FakeServer): void {
  fake.state.runs = [sampleRun()];
  fake.state.orchestrations = [sampleOrchestration()];
  fake.emit('orchestration.proposed', orchestration.id, { messageId: MESSAGE });
}

export function complete(fake: FakeServer): void {
  const steps = [sampleStep({ state: 'done' })];
  const done = { approvedRevision: 1, deliverable: 'All done.', gaps: [], steps };
  fake.state.orchestrations = [sampleOrchestration({ status: 'completed', ...done })];
  fake.emit('orchestration.completed', orchestration.id);
}

/** A goal is answered with a proposal, an approval with the deliverable. */
export function happyPath(write: RecordedWrite, fake: FakeServer): void {
  if (write.path.endsWith('/messages')) propose(fake);
  if (write.path.endsWith('/approve')) complete(fake);
}
