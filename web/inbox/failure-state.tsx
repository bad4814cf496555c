import { useNames } from '../conversation/names.ts';
import { ago } from '../i18n/format.ts';
import { useText } from '../i18n/text.ts';
import { useMe } from '../shell/use-me.ts';
import { useNow } from '../ui/use-now.ts';
import { askText } from './ask-text.ts';
import type { AgentTrouble } from './troubles.ts';

type Stop = Pick<AgentTrouble, 'resumeAt' | 'takenOverBy'>;

/** Who has a stopped run in hand, or when it goes on by itself; nothing where it just waits. */
export function StopWords({ ws, stop }: { ws: string; stop: Stop }) {
  const t = useText(askText);
  const me = useMe().actor;
  const nameOf = useNames(ws);
  const { takenOverBy, resumeAt } = stop;
  if (takenOverBy !== null)
    return <span>{takenOverBy === me ? t.heldByYou : t.heldBy(nameOf(takenOverBy).name)}</span>;
  return resumeAt === null ? null : <GoesOn at={resumeAt} />;
}

function GoesOn({ at }: { at: number }) {
  const t = useText(askText);
  return <span>{t.goesOn(ago(at, Math.min(useNow(), at)))}</span>;
}
