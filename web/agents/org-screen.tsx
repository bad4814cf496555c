import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { useText } from '../i18n/text.ts';
import { useKeys } from '../keys/registry.ts';
import { agentsQuery } from '../shell/shell-queries.ts';
import { useMe } from '../shell/use-me.ts';
import { useIsNarrow } from '../shell/use-media.ts';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { agentText } from './agent-words.ts';
import { DragHint } from './drag-hint.tsx';
import { FailedLooks, type Look } from './failed-looks.tsx';
import { NewAgentLink } from './new-agent-link.tsx';
import css from './org.module.css';
import { OrgChart } from './org-chart.tsx';
import { orgGraph, orgTrees } from './org-graph.ts';
import { OrgInspector } from './org-inspector.tsx';
import { OrgList } from './org-list.tsx';
import { orgText } from './org-text.ts';
import type { RosterRow } from './roster.ts';
import { useUrlText } from './url-state.ts';
import { useRoster } from './use-roster.ts';
import { useSuperiorChange } from './use-superior-change.ts';
import { useSuperiorDrag } from './use-superior-drag.ts';

const VIEWS = ['chart', 'list'] as const;

/** Who reports to whom: drawn or as a list, both of one graph. */
export default function OrgScreen({ ws }: { ws: string }) {
  const { rows, error, retry, looks } = useRoster(ws);
  const agents = useQuery(agentsQuery(ws));
  const t = useText(orgText);
  const common = useText(agentText);
  if (error) return <Failed error={error} onRetry={retry} />;
  if (rows === null) return <Loading />;
  if (rows.length > 0) return <Org ws={ws} rows={rows} looks={[agents, ...looks]} />;
  return (
    <Empty title={t.empty}>
      <NewAgentLink>{common.newAgent}</NewAgentLink>
    </Empty>
  );
}

interface OrgProps {
  ws: string;
  rows: readonly RosterRow[];
  looks: readonly Look[];
}

function Org({ ws, rows, looks }: OrgProps) {
  const t = useText(orgText);
  const common = useText(agentText);
  const { cannotChange } = useMe();
  const [, navigate] = useLocation();
  const isNarrow = useIsNarrow();
  const [chosen, setView] = useUrlText('view');
  const view = VIEWS.find((one) => one === chosen) ?? (isNarrow ? 'list' : 'chart');
  const [selected, select] = useUrlText('agent');
  const agents = useMemo(() => rows.map(({ agent }) => agent), [rows]);
  const graph = useMemo(() => orgGraph(agents), [agents]);
  const trees = useMemo(() => orgTrees(graph), [graph]);
  const byId = useMemo(() => new Map(rows.map((row) => [row.agent.id, row])), [rows]);
  const { change, pendingId } = useSuperiorChange(ws);
  const { drag, onPointerDown } = useSuperiorDrag(graph, (id, superior) => {
    const agent = byId.get(id)?.agent;
    if (agent && cannotChange === null) change({ agent, superior });
  });
  useKeys([
    {
      ...{ keys: 'v', label: t.toggle, group: common.orgChart },
      run: () => setView(view === 'chart' ? 'list' : 'chart'),
    },
    {
      ...{ keys: 'r', label: t.change, group: common.orgChart },
      run: () => document.querySelector<HTMLElement>('select[name="reportsTo"]')?.focus(),
    },
  ]);
  const props = {
    ...{ trees, rows: byId, pendingId, drag, onSelect: select },
    selectedId: byId.has(selected) ? selected : null,
    onOpen: (id: string) => navigate(`/agents/${id}`),
  };
  return (
    <div className={css.screen}>
      <header className={css.head}>
        <h1>{common.orgChart}</h1>
        <fieldset className={css.views}>
          <legend className="visually-hidden">{t.view}</legend>
          {VIEWS.map((one) => (
            <label key={one}>
              <input type="radio" name="view" checked={view === one} onChange={() => setView(one)} />
              {t.views[one]}
            </label>
          ))}
        </fieldset>
        <FailedLooks looks={looks} />
      </header>
      <div className={css.columns}>
        <div className={css.pane} onPointerDown={cannotChange === null ? onPointerDown : undefined}>
          {/* Its room is always kept, so that nothing moves when a drag begins. */}
          {cannotChange === null ? (
            <p
              data-top={drag ? true : undefined}
              aria-hidden={drag === null}
              className={css.top}
              data-over={drag?.target.kind === 'fits' && drag.target.superior === null}
            >
              {t.top}
            </p>
          ) : null}
          {view === 'chart' ? <OrgChart {...props} /> : <OrgList {...props} />}
        </div>
        <OrgInspector
          ws={ws}
          agents={agents}
          row={byId.get(selected)}
          onChange={(agent, superior) => change({ agent, superior })}
        />
      </div>
      <DragHint drag={drag} nameOf={(id) => byId.get(id)?.agent.name ?? id} />
    </div>
  );
}
