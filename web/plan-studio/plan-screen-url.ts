import { useSearchParams } from 'wouter';

/** What stands beside the graph. */
const PANELS = ['details', 'revisions', 'part', 'deferred'] as const;
type Panel = (typeof PANELS)[number];

export interface PlanUrl {
  node: string | null;
  view: 'graph' | 'outline';
  panel: Panel;
  /** An older revision that is being looked at. */
  rev: number | null;
  /** Two revisions that are being compared. */
  diff: { from: number; to: number } | null;
  /** Whether the conversation stands beside. */
  hasTalk: boolean;
}

/** Reads the URL's search; what makes no sense is as if it were not there. */
export function readPlanUrl(search: URLSearchParams): PlanUrl {
  const panel = search.get('panel');
  return {
    node: search.get('node'),
    view: search.get('view') === 'outline' ? 'outline' : 'graph',
    panel: PANELS.find((one) => one === panel) ?? 'details',
    rev: wholeNumber(search.get('rev')),
    diff: readDiff(search.get('diff')),
    hasTalk: search.get('talk') === '1',
  };
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

function readDiff(text: string | null): PlanUrl['diff'] {
  const [from, to] = (text ?? '').split('..').map(wholeNumber);
  return from && to && from !== to ? { from, to } : null;
}

/** Writes the fields given and leaves the others; a field at its default is not in the URL. */
export function writePlanUrl(search: URLSearchParams, change: Partial<PlanUrl>): URLSearchParams {
  const url = { ...readPlanUrl(search), ...change };
  const next = new URLSearchParams(search);
  const put = (name: string, value: string | null) =>
    value === null ? next.delete(name) : next.set(name, value);
  put('node', url.node);
  put('view', url.view === 'graph' ? null : url.view);
  put('panel', url.panel === 'details' ? null : url.panel);
  put('rev', url.rev === null ? null : String(url.rev));
  put('diff', url.diff === null ? null : `${url.diff.from}..${url.diff.to}`);
  put('talk', url.hasTalk ? '1' : null);
  return next;
}

/** Where the person is in Plan Studio, kept in the URL. Selecting a node is no step of the history. */
export function usePlanUrl(): PlanUrl & { go(change: Partial<PlanUrl>): void } {
  const [search, setSearch] = useSearchParams();
  return {
    ...readPlanUrl(search),
    go: (change) => {
      const isStep = 'diff' in change || 'rev' in change;
      setSearch((before) => writePlanUrl(before, change), { replace: !isStep });
    },
  };
}
