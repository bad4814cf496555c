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
import { useFamilyWords } from '../ui/error-family.ts';
import { notify } from '../ui/notices.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { Age } from './age.tsx';
import { askText } from './ask-text.ts';
import { putAway, takeBack, useAway } from './away.ts';
import { canResume } from './failure-row.tsx';
import { StopWords } from './failure-state.tsx';
import { KindIcon } from './kind-icon.tsx';
import { OutOfDate } from './out-of-date.tsx';
import css from './preview.module.css';
import { PlaceLink } from './preview-head.tsx';
import { PutOff } from './put-off.tsx';
import { inboxText } from './text.ts';
import type { AgentTrouble } from './troubles.ts';
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
  const isAway = useAway(({ byId }) => byId[runId] !== undefined);
  const spaceId = run.data?.spaceId ?? trouble.spaceId;
  const place = usePlaceOf(ws)(spaceId, trouble.conversationId);
  const spaceName = useSpaceName(ws, spaceId);
  const isResumable = run.data ? isParked(run.data) : canResume(trouble);
  const setAside = () => {
    putAway(runId, null);
    notify(t.asideDone(trouble.name), { action: { label: t.undo, run: () => takeBack(runId) } });
    onDone();
  };
  useKeys([
    { keys: 'o', label: words.openKey, group: words.group, run: () => navigate(`/runs/${runId}`) },
    {
      ...{ keys: 'a', label: words.resumeKey, group: words.group },
      when: () => isResumable && cannotChange === null,
      run: () => resume.mutate('resume'),
    },
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
          <StopWords ws={ws} stop={run.data ?? trouble} />
        </p>
        <div className={css.links}>
          <PlaceLink href={`/runs/${runId}`} label={words.openRun} />
          {place === null ? null : <PlaceLink href={place} label={words.openPlace} />}
          <PutOff id={runId} onDone={onDone} />
        </div>
      </header>
      <div className={css.body}>
        {run.error && run.data ? <OutOfDate error={run.error} onRetry={() => void run.refetch()} /> : null}
        {run.error && !run.data ? <Failed error={run.error} onRetry={() => void run.refetch()} /> : null}
        {run.isPending ? <Loading /> : null}
        {run.data ? <WhatHappened run={run.data} /> : null}
      </div>
      <footer className={css.foot}>
        <div className={css.buttons}>
          {isResumable ? (
            <Button
              kind="primary"
              isPending={resume.isPending}
              disabledReason={cannotChange}
              onClick={() => resume.mutate('resume')}
            >
              {t.resume}
            </Button>
          ) : null}
          {isAway ? null : (
            <Button title={t.asideHint} onClick={setAside}>
              {t.aside}
            </Button>
          )}
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

const isParked = ({ status, takenOverBy }: { status: string; takenOverBy: string | null }): boolean =>
  status === 'paused' && takenOverBy === null;

/** What went wrong and what mends it, then what the run itself says of it, in the server's English. */
function WhatHappened({ run: { summary, errorFamily, model, costMicros } }: { run: FailedRun }) {
  const t = useText(askText);
  const wordsOf = useFamilyWords();
  const family = errorFamily === null ? null : wordsOf(errorFamily);
  return (
    <>
      <h3>{t.whatHappened}</h3>
      {family === null ? null : (
        <p>
          <strong>{family.label}.</strong> {family.mend}
        </p>
      )}
      {summary === null ? (
        <p className={css.soft}>{t.noSummary}</p>
      ) : (
        <div lang="en" className={css.soft}>
          <Markdown text={summary} />
        </div>
      )}
      <dl className={css.facts}>
        <dt>{t.model}</dt>
        <dd>{model}</dd>
        <dt>{t.spent}</dt>
        <dd>{costMicros === null ? t.notKnown : money(costMicros)}</dd>
      </dl>
    </>
  );
}
