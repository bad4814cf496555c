import { ChevronRight } from 'lucide-react';
import { useId } from 'react';
import type { TreeNode } from '../../../services/runs/runs/tree-node.ts';
import { count, duration } from '../../i18n/format.ts';
import { useText } from '../../i18n/text.ts';
import { Status } from '../../ui/status.tsx';
import { useNow } from '../../ui/use-now.ts';
import { useOpen } from '../open-state.ts';
import { ScrollingText } from '../scrolling-text.tsx';
import { inputText, objectOf, type StepCall, statusOfCall } from './call-words.ts';
import css from './runs.module.css';
import { runText, toolVerbs } from './text.ts';

interface CallLineProps {
  node: TreeNode;
  call: StepCall;
  /** When it began, while it is being made. */
  runningSince: number | null;
}

/** A call of a tool in one line; what went in and came out opens below. */
export function CallLine({ node, call, runningSince }: CallLineProps) {
  const t = useText(runText);
  const verbs: Record<string, string> = useText(toolVerbs);
  const [isOpen, toggle] = useOpen(`${node.id}/${call.callId}`);
  const id = useId();
  const status = statusOfCall(call, {
    isHeard: runningSince !== null,
    isRunOver: node.endedAt !== null,
    isDelegated: node.waitingFor?.startsWith('run_') ?? false,
  });
  const label = call.state === 'denied' ? t.denied : call.state === 'held' ? t.asks : undefined;
  const object = objectOf(call.input);
  return (
    <div className={css.call}>
      <button
        type="button"
        className={css.callLine}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={toggle}
      >
        <ChevronRight size={14} aria-hidden className={css.chevron} />
        <span className={css.verb}>{verbs[call.name] ?? call.name}</span>
        <span className={css.object} title={object}>
          {object}
        </span>
        <span className={css.callEnd}>
          <Status status={status} isShapeOnly={status === 'done'} {...(label !== undefined && { label })} />
          <CallTime durationMs={call.durationMs} since={runningSince} />
        </span>
      </button>
      <div id={id} hidden={!isOpen}>
        {isOpen ? <CallDetail call={call} /> : null}
      </div>
    </div>
  );
}

function CallTime({ durationMs, since }: { durationMs: number | null; since: number | null }) {
  if (durationMs !== null) return <span className={css.time}>{duration(durationMs)}</span>;
  return since === null ? null : <Elapsed since={since} />;
}

export function Elapsed({ since }: { since: number }) {
  const now = useNow();
  const seconds = Math.max(1, Math.floor((now - since) / 1_000));
  return <span className={css.time}>{duration(seconds * 1_000)}</span>;
}

function CallDetail({ call }: { call: StepCall }) {
  const t = useText(runText);
  const { input, output, outputChars, media, decision } = call;
  return (
    <div className={css.callDetail}>
      <CallText label={t.input} text={inputText(input)} />
      {decision?.reason ? <p className={css.soft}>{decision.reason}</p> : null}
      {output === null ? null : output === '' ? (
        <p className={css.soft}>{t.noOutput}</p>
      ) : (
        <CallText label={t.output} text={output} />
      )}
      {output !== null && outputChars !== null && outputChars > output.length ? (
        <p className={css.soft}>{t.cut(count(output.length), count(outputChars))}</p>
      ) : null}
      {media.length > 0 ? <p className={css.soft}>{t.media(media.length)}</p> : null}
    </div>
  );
}

function CallText({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <p className={css.callLabel}>{label}</p>
      <ScrollingText label={label} className={css.pre}>
        {text}
      </ScrollingText>
    </div>
  );
}
