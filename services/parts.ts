import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from './kit/clock.ts';
import { Database } from './kit/database/database.ts';
import { emptyDatabase, isEmptyFile } from './kit/database/empty-file.ts';
import { createPeer, unwrap } from './kit/peer.ts';
import {
  runsPort as orchestrationRunsPort,
  spacesPort as orchestrationSpacesPort,
} from './orchestration/peers.ts';
import { createOrchestration, type OrchestrationApp } from './orchestration/service.ts';
import { createEmbeddedRunner } from './runner/embedded.ts';
import { keepReader } from './runs/guard/keep-reader.ts';
import { operatorOf } from './runs/mcp/peers.ts';
import { createModelCatalogue } from './runs/models/catalogue.ts';
import { secretsOf } from './runs/models/endpoint.ts';
import { readModelsFile } from './runs/models/models-file.ts';
import { planPort, proposePort, reviewsPort, spacesPort as runsSpacesPort } from './runs/peers.ts';
import { createRuns, type RunsApp } from './runs/service.ts';
import type { Parts, Site } from './site.ts';
import { activitiesPort } from './spaces/peers.ts';
import { createGitHub } from './spaces/reviews/github/github.ts';
import { createSpaces, type Spaces, type SpacesApp } from './spaces/service.ts';

/** Each service with its peers, embedded or remote. */
export async function addSpaces(site: Site, parts: Parts): Promise<Spaces> {
  const control = await openControl(site);
  const runs = createPeer<RunsApp>(site.transport('runs'));
  const spaces = createSpaces({
    control,
    databases: site.databases,
    dataDir: site.config.dataDir,
    inspectRepository: (workspaceId, path, actor) =>
      unwrap(
        runs(actor).api.workspaces[':workspaceId'].repositories.inspect.$post({
          param: { workspaceId },
          json: { path },
        }),
      ),
    activities: activitiesPort(runs),
    listModels: (workspaceId, actor) =>
      unwrap(runs(actor).api.workspaces[':workspaceId'].models.$get({ param: { workspaceId } })),
    pullRequests: createGitHub(site.config.github),
    webhookSecret: site.config.github.webhookSecret,
    log: site.log,
    clock: systemClock,
    onPoint: site.onPoint,
  });
  parts.spaces = { ...spaces, handle: (request) => spaces.app.fetch(request) };
  return spaces;
}

async function openControl({ config: { dataDir }, onPoint }: Site): Promise<Database> {
  const path = join(dataDir, 'control.db');
  const isUsed = ['owner-token', 'workspaces'].some((name) => existsSync(join(dataDir, name)));
  if (isUsed && isEmptyFile(path)) throw emptyDatabase(path);
  return Database.open(`file:${path}`, { onPoint });
}

export async function addRuns(site: Site, parts: Parts): Promise<void> {
  const { config, databases, log, onPoint } = site;
  const { github } = config;
  const { baseUrl, apiKey, defaultModel } = config.model;
  const fromFile = await readModelsFile(join(config.dataDir, 'models.json'));
  const runner = createEmbeddedRunner({ dataDir: config.dataDir, ...(onPoint ? { onPoint } : {}) });
  const orchestration = createPeer<OrchestrationApp>(site.transport('orchestration'));
  const spaces = createPeer<SpacesApp>(site.transport('spaces'));
  const own = createPeer<RunsApp>(site.transport('runs'));
  const runs = createRuns({
    databases,
    dataDir: config.dataDir,
    spaces: runsSpacesPort(spaces),
    reviews: reviewsPort(spaces),
    proposeOrchestration: proposePort(orchestration),
    submitPlan: planPort(orchestration),
    operatorOf: operatorOf({ spaces, runs: own, orchestration }),
    runner,
    // Loaded with the first run that may use a shell: a grammar is nothing to start a server with.
    commandReader: keepReader(async () =>
      (await import('./runs/guard/shell/command-reader.ts')).createCommandReader(),
    ),
    models: createModelCatalogue({ ...fromFile, baseUrl, apiKey, ...(defaultModel ? { defaultModel } : {}) }),
    log,
    clock: systemClock,
    onPoint,
    concurrency: config.concurrency,
    fetchAllow: config.fetchAllow,
    secrets: [apiKey, config.serviceToken, github.token, github.webhookSecret]
      .filter((secret) => secret !== null)
      .concat(secretsOf(fromFile.providers ?? [])),
  });
  parts.runs = {
    handle: (request) => runs.app.fetch(request),
    start: () => runs.start(),
    async stop() {
      await runs.stop();
      await runner.close();
    },
  };
}

export function addOrchestration(site: Site, parts: Parts): void {
  const spaces = createPeer<SpacesApp>(site.transport('spaces'));
  const runs = createPeer<RunsApp>(site.transport('runs'));
  const orchestration = createOrchestration({
    databases: site.databases,
    spaces: orchestrationSpacesPort(spaces),
    runs: orchestrationRunsPort(runs),
    log: site.log,
    clock: systemClock,
    onPoint: site.onPoint,
  });
  parts.orchestration = { ...orchestration, handle: (request) => orchestration.app.fetch(request) };
}
