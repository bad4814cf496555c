import { Play } from 'lucide-react';
import { useRunAction } from '../conversation/runs/run-actions.ts';
import { useText } from '../i18n/text.ts';
import { useMe } from '../shell/use-me.ts';
import { Button } from '../ui/button.tsx';
import { useKeptFocus } from '../ui/use-kept-focus.ts';
import { askText } from './ask-text.ts';
import css from './inbox.module.css';
import type { AgentTrouble } from './troubles.ts';

export const canResume = ({ isPaused, takenOverBy }: AgentTrouble): boolean =>
  isPaused && takenOverBy === null;

/** Lets a stopped run go on without opening it. */
export function ResumeInRow({ ws, trouble, isStop }: { ws: string; trouble: AgentTrouble; isStop: boolean }) {
  const t = useText(askText);
  const { cannotChange } = useMe();
  const resume = useRunAction(ws, trouble.runId ?? '');
  const part = useKeptFocus<HTMLDivElement>(rowBeside);
  return (
    <div ref={part} className={css.rowAction}>
      <Button
        aria-label={t.resumeWho(trouble.name)}
        tabIndex={isStop ? 0 : -1}
        isPending={resume.isPending}
        disabledReason={cannotChange}
        onClick={() => resume.mutate('resume')}
      >
        <Play size={14} aria-hidden /> {t.resume}
      </Button>
    </div>
  );
}

/** The row goes with the trouble: whoever went on by keyboard is at the next one. */
function rowBeside(part: HTMLElement): HTMLElement | null | undefined {
  const row = part.closest('li');
  return (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector('a');
}
