import { useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import type { Step } from '../../services/runs/pages/steps.ts';
import { inputText, objectOf, statusOfCall } from '../conversation/runs/call-words.ts';
import { runText, toolVerbs } from '../conversation/runs/text.ts';
import { count, duration } from '../i18n/format.ts';
import { useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Status } from '../ui/status.tsx';
import { useNow } from '../ui/use-now.ts';
import { visibleText } from '../ui/visible-text.ts';
import css from './run.module.css';
import { wholeStepQuery } from './run-queries.ts';
import { runWords } from './run-words.ts';

type Call = Step['calls'][number];
/** What the run waits for. */
export type Waits = 'person' | 'subAgent' | null;

interface CallViewProps {
  ws: string;
  runId: string;
  /** Of the step that it belongs to. */
  seq: number;
  call: Call;
  runningSince: number | null;
  isOver: boolean;
  waits: Waits;
}

/** One call in a line; what went in and came out opens below, whole. */
export function CallView({ ws, runId, seq, call, runningSince, isOver, waits }: CallViewProps) {
  const words = useText(runText);
  const verbs: Record<string, string> = useText(toolVerbs);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const context = { isHeard: runningSince !== null, isRunOver: isOver, isDelegated: waits === 'subAgent' };
  const known = statusOfCall(call, context);
  const status = known === 'pending' && waits === 'person' ? 'awaiting' : known;
  const label = call.state === 'denied' ? words.denied : call.state === 'held' ? words.asks : undefined;
  const object = objectOf(call.input);
  return (
    <div className={css.call}>
      <button
        type="button"
        className={css.callLine}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight size={14} aria-hidden className={css.chevron} />
        <span className={css.verb}>{verbs[call.name] ?? call.name}</span>
        <span className={css.object} title={object}>
          {object}
        </span>
        <span className={css.callEnd}>
          <Status status={status} isShapeOnly={status === 'done'} {...(label !== undefined && { label })} />
          <CallTime call={call} since={runningSince} />
        </span>
      </button>
      <div id={id} hidden={!isOpen}>
        {isOpen ? <CallDetail ws={ws} runId={runId} seq={seq} call={call} /> : null}
      </div>
    </div>
  );
}

function CallTime({ call: { durationMs }, since }: { call: Call; since: number | null }) {
  const now = useNow();
  if (durationMs !== null) return <span className={css.time}>{duration(durationMs)}</span>;
  if (since === null) return null;
  return <span className={css.time}>{duration(Math.floor(Math.max(0, now - since) / 1_000) * 1_000)}</span>;
}

function CallDetail({ ws, runId, seq, call }: Omit<CallViewProps, 'runningSince' | 'isOver' | 'waits'>) {
  const t = useText(runWords);
  const [isWhole, setWhole] = useState(false);
  const whole = useQuery({ ...wholeStepQuery(ws, runId, seq), enabled: isWhole });
  const full = whole.data?.calls.find(({ callId }) => callId === call.callId) ?? call;
  const { input, output, outputChars, media, decision } = full;
  const isCut = output !== null && outputChars !== null && outputChars > output.length;
  return (
    <div className={css.detail}>
      <Text label={t.input} text={inputText(input)} />
      {decision?.reason ? <p className={css.soft}>{decision.reason}</p> : null}
      {output === null ? null : output === '' ? (
        <p className={css.soft}>{t.noOutput}</p>
      ) : (
        <Text label={t.output} text={output} />
      )}
      {isCut ? (
        <p className={css.soft}>
          {t.cut(count(output.length), count(outputChars))}{' '}
          {isWhole && whole.data ? null : (
            <Button isPending={whole.isFetching} onClick={() => setWhole(true)}>
              {t.showAll(count(outputChars))}
            </Button>
          )}
        </p>
      ) : null}
      {whole.error ? <p role="alert">{whole.error.message}</p> : null}
      {media.length > 0 ? <p className={css.soft}>{t.media(media.length)}</p> : null}
    </div>
  );
}

function Text({ label, text }: { label: string; text: string }) {
  const t = useText(runWords);
  return (
    <div>
      <p className={css.textHead}>
        {label} <CopyButton isIcon label={`${t.copy}: ${label}`} text={() => text} />
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <section tabIndex={0} aria-label={label} className={css.pre}>
        <pre>{visibleText(text)}</pre>
      </section>
    </div>
  );
}
