import { useNames } from '../conversation/names.ts';
import { useText } from '../i18n/text.ts';
import { useMe } from '../shell/use-me.ts';
import { outcomeWords } from './outcome-words.ts';
import { useSettled } from './settled.ts';
import { subjectOf } from './subject.ts';
import { inboxText } from './text.ts';

/** Says what became of the last item, for those who do not see its row change. */
export function Announcer({ ws }: { ws: string }) {
  const t = useText(inboxText);
  const me = useMe();
  const nameOf = useNames(ws);
  const last = useSettled((state) => Object.values(state.byId).at(-1));
  const by =
    !last || last.decidedBy === null || last.decidedBy === me.actor ? null : nameOf(last.decidedBy).name;
  return (
    <p role="status" className="visually-hidden">
      {last ? t.gone(subjectOf(last), outcomeWords(last, by, t).label) : null}
    </p>
  );
}
