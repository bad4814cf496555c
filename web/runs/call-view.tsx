import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Step } from '../../services/runs/pages/steps.ts';
import { CallDetail } from '../conversation/runs/call-detail.tsx';
import { CallLine } from '../conversation/runs/call-line.tsx';
import { statusOfCall } from '../conversation/runs/call-words.ts';
import { count } from '../i18n/format.ts';
import { useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { FaultText } from '../ui/fault-text.tsx';
import { wholeStepQuery } from './run-queries.ts';
import { runWords } from './run-words.ts';
import { withoutOrders } from './terminal-text.ts';

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
  const [isOpen, setOpen] = useState(false);
  const context = { isHeard: runningSince !== null, isRunOver: isOver, isDelegated: waits === 'subAgent' };
  const known = statusOfCall(call, context);
  const status = known === 'pending' && waits === 'person' ? 'awaiting' : known;
  const toggle = () => setOpen(!isOpen);
  return (
    <CallLine call={call} status={status} runningSince={runningSince} isOpen={isOpen} onToggle={toggle}>
      <WholeDetail ws={ws} runId={runId} seq={seq} call={call} />
    </CallLine>
  );
}

type WholeDetailProps = Omit<CallViewProps, 'runningSince' | 'isOver' | 'waits'>;

function WholeDetail({ ws, runId, seq, call }: WholeDetailProps) {
  const t = useText(runWords);
  const [isWhole, setWhole] = useState(false);
  const whole = useQuery({ ...wholeStepQuery(ws, runId, seq), enabled: isWhole });
  const full = shownOf(whole.data?.calls.find(({ callId }) => callId === call.callId) ?? call);
  const [shown, all] = [count(full.output?.length ?? 0), count(full.outputChars ?? 0)];
  const rest = (
    <>
      {t.cut(shown, all)}{' '}
      {isWhole && whole.data ? null : (
        <Button isPending={whole.isFetching} onClick={() => setWhole(true)}>
          {t.showAll(all)}
        </Button>
      )}
    </>
  );
  return (
    <>
      <CallDetail call={full} rest={rest} />
      {whole.error ? (
        <p role="alert">
          <FaultText error={whole.error} />
        </p>
      ) : null}
    </>
  );
}

/** The call with its output as people read it; what was left out of it counts as read. */
function shownOf(call: Call): Call {
  if (call.output === null) return call;
  const output = withoutOrders(call.output);
  const leftOut = call.output.length - output.length;
  return { ...call, output, outputChars: call.outputChars === null ? null : call.outputChars - leftOut };
}
