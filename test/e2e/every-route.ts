import { createOrchestration } from '../../services/orchestration/service.ts';
import { createRuns } from '../../services/runs/service.ts';
import { createSpaces } from '../../services/spaces/service.ts';

export interface Route {
  method: string;
  /** With its parameters: `/api/workspaces/:workspaceId/tickets/:id`. */
  path: string;
}

/** Every route of the three services, as their apps have them. None of their dependencies is touched. */
export function everyRoute(): Route[] {
  const none = {} as never;
  const apps = [createSpaces(none).app, createRuns(none).app, createOrchestration(none).app];
  const routes = apps.flatMap((app) => app.routes as Route[]).filter(({ method }) => method !== 'ALL');
  const named = new Map(routes.map(({ method, path }) => [`${method} ${path}`, { method, path }]));
  return [...named.values()];
}

/** The path with its parameters filled in. */
export function filled(path: string, values: Record<string, string>): string {
  return path.replaceAll(/:(\w+)(\{[^}]*\})?/g, (_, name: string) => values[name] ?? 'none');
}
