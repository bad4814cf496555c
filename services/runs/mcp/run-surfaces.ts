import type { RunsDeps } from '../deps.ts';
import { prepareWithPeers } from '../dispatch/prepare-run.ts';
import { toolsOfRun } from '../dispatch/tools-of-run.ts';
import type { ToolPort } from '../harness/tool-port.ts';
import type { RunRow } from '../runs/schema.ts';
import type { Tool } from '../tools/tool.ts';

/** A run's tools as its loop has them. */
export interface RunSurface {
  tools: readonly Tool[];
  port: ToolPort;
}

const KEPT = 32;
/** How long a peer may stay away before a client is told so. */
const PATIENCE_MS = 30_000;

/** The surfaces of the runs that were asked for last: prepared as for the loop, once for each run, whose mode stays its own. */
export class RunSurfaces {
  readonly #kept = new Map<string, Promise<RunSurface>>();

  constructor(
    private readonly deps: RunsDeps,
    private readonly stopping: AbortSignal,
  ) {}

  /** @throws Fault of the peers or the runner */
  of(workspaceId: string, row: RunRow): Promise<RunSurface> {
    const known = this.#kept.get(row.id);
    this.#kept.delete(row.id);
    const surface = known ?? this.#prepare(workspaceId, row);
    this.#kept.set(row.id, surface);
    surface.catch(() => this.#kept.delete(row.id));
    for (const id of [...this.#kept.keys()].slice(0, -KEPT)) this.#kept.delete(id);
    return surface;
  }

  async #prepare(workspaceId: string, row: RunRow): Promise<RunSurface> {
    const signal = AbortSignal.any([this.stopping, AbortSignal.timeout(PATIENCE_MS)]);
    const prepared = await prepareWithPeers(this.deps, workspaceId, row, signal);
    return { tools: prepared.tools, port: toolsOfRun(this.deps, workspaceId, row, prepared) };
  }
}
