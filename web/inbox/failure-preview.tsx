import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { Markdown } from '../conversation/markdown.tsx';
import { useRunAction } from '../conversation/runs/run-actions.ts';
import { money } from '../i18n/format.ts';
import { useText } from '../i18n/text.ts';
import { useKeys } from '../keys/registry.ts';
import { runQuery } from '../shell/shell-queries.ts';
import { useMe } from '../shell/use-me.ts';
import { Button } from '../ui/button.tsx';
import { notify } from '../ui/notices.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { Age } from './age.tsx';
import { putAside, takeBack } from './aside.ts';
import { askText } from './ask-text.ts';
import { KindIcon } from './kind-icon.tsx';
import css from './preview.module.css';
import { PlaceLink } from './preview-head.tsx';
import type { AgentTrouble } from './queue.ts';
import { inboxText } from './text.ts';
import { usePlaceOf, useSpaceName } from './use-space-name.ts';

interface FailurePreviewProps {
  ws: string;
  trouble: AgentTrouble;
  kind: 'failed' | 'blocked';
  onDone(): void;
}

/** Work that went wrong: what happened, and the ways on. */
export function FailurePreview({ ws, trouble, kind, onDone }: FailurePreviewProps) {
  const t = useText(askText);
  const words = useText(inboxText);
  const { cannotChange } = useMe();
  const [, navigate] = useLocation();
  const runId = trouble.runId ?? '';
  const run = useQuery(runQuery(ws, runId));
  const resume = useRunAction(ws, runId);
  const place = usePlaceOf(ws)(run.data?.spaceId ?? null, trouble.conversationId);
  const spaceName = useSpaceName(ws, run.data?.spaceId ?? null);
  const setAside = () => {
    putAside(runId);
    notify(t.asideDone(trouble.name), { action: { label: t.undo, run: () => takeBack(runId) } });
    onDone();
  };
  useKeys([
    { keys: 'o', label: words.openKey, group: words.group, run: () => navigate(`/runs/${runId}`) },
    { keys: 'e', label: words.asideKey, group: words.group, run: setAside },
  ]);
  return (
    <>
      <header className={css.head}>
        <p className={css.kind}>
          <KindIcon kind={kind} /> {words.kinds[kind]}
        </p>
        <h2 tabIndex={-1}>{kind === 'failed' ? t.runFailed(trouble.name) : t.runBlocked(trouble.name)}</h2>
        <p className={css.meta}>
          {spaceName === null ? null : <span>{spaceName}</span>}
          {trouble.since === null ? null : <Age since={trouble.since} />}
        </p>
        <p className={css.links}>
          <PlaceLink href={`/runs/${runId}`} label={words.openRun} />
          {place === null ? null : <PlaceLink href={place} label={words.openPlace} />}
        </p>
      </header>
      <div className={css.body}>
        {run.error ? <Failed error={run.error} onRetry={() => void run.refetch()} /> : null}
        {run.isPending ? <Loading /> : null}
        {run.data ? <WhatHappened run={run.data} /> : null}
      </div>
      <footer className={css.foot}>
        <div className={css.buttons}>
          {run.data?.status === 'paused' ? (
            <Button
              kind="primary"
              isPending={resume.isPending}
              disabledReason={cannotChange}
              onClick={() => resume.mutate('resume')}
            >
              {t.resume}
            </Button>
          ) : null}
          <Button title={t.asideHint} onClick={setAside}>
            {t.aside}
          </Button>
        </div>
      </footer>
    </>
  );
}

interface FailedRun {
  summary: string | null;
  errorFamily: string | null;
  model: string;
  costMicros: number | null;
}

function WhatHappened({ run: { summary, errorFamily, model, costMicros } }: { run: FailedRun }) {
  const t = useText(askText);
  return (
    <>
      <h3>{t.whatHappened}</h3>
      {summary === null ? <p className={css.soft}>{t.noSummary}</p> : <Markdown text={summary} />}
      <dl className={css.facts}>
        {errorFamily === null ? null : (
          <>
            <dt>{t.family}</dt>
            <dd>
              <code>{errorFamily}</code>
            </dd>
          </>
        )}
        <dt>{t.model}</dt>
        <dd>{model}</dd>
        <dt>{t.spent}</dt>
        <dd>{costMicros === null ? t.unknown : money(costMicros)}</dd>
      </dl>
    </>
  );
}
