import type {
  OrchestrationKind,
  OrchestrationStatus,
} from '../../services/orchestration/orchestrations/schema.ts';

export const STATUSES: readonly OrchestrationStatus[] = [
  'proposed',
  'approved',
  'executing',
  'synthesizing',
  'completed',
  'failed',
  'cancelled',
];
const KINDS: readonly OrchestrationKind[] = ['orchestration', 'plan'];

export interface PlansFilter {
  kind: OrchestrationKind | null;
  status: OrchestrationStatus | null;
}

/** Reads the filter from the URL; what makes no sense filters nothing. */
export function readPlansFilter(search: URLSearchParams): PlansFilter {
  return {
    kind: KINDS.find((kind) => kind === search.get('kind')) ?? null,
    status: STATUSES.find((status) => status === search.get('status')) ?? null,
  };
}

export function writePlansFilter(search: URLSearchParams, filter: PlansFilter): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(filter)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  return next;
}
