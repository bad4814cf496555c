import { memo } from 'react';
import { Link, useSearch } from 'wouter';
import { useNames } from '../conversation/names.ts';
import { dateTime } from '../i18n/format.ts';
import { useText } from '../i18n/text.ts';
import { useMe } from '../shell/use-me.ts';
import { Avatar } from '../ui/avatar.tsx';
import { useFamilyWords } from '../ui/error-family.ts';
import { Status } from '../ui/status.tsx';
import { Age } from './age.tsx';
import { askText } from './ask-text.ts';
import { useAway } from './away.ts';
import { canResume, ResumeInRow } from './failure-row.tsx';
import { StopWords } from './failure-state.tsx';
import { useOnlookers } from './focus.ts';
import css from './inbox.module.css';
import { KindIcon } from './kind-icon.tsx';
import { listed } from './listed.ts';
import { outcomeWords } from './outcome-words.ts';
import { type QueueItem, spaceOf, type WaitingItem } from './queue.ts';
import { useSettled } from './settled.ts';
import { subjectOf } from './subject.ts';
import { inboxText } from './text.ts';
import { useStanding } from './use-deciding.ts';
import { useSpaceName } from './use-space-name.ts';

interface QueueRowProps {
  ws: string;
  item: QueueItem;
  isSelected: boolean;
  /** The one row of the list that Tab stops at. */
  isStop: boolean;
}

/** One thing that wants a person, as a link to it. Walking draws two of them anew, not all. */
export const QueueRow = memo(function QueueRow({ ws, item, isSelected, isStop }: QueueRowProps) {
  const t = useText(inboxText);
  const search = useSearch();
  const who = item.isFailure ? item.trouble.name : (item.approval.agentName ?? t.controlCenter);
  const spaceName = useSpaceName(ws, spaceOf(item));
  const where = item.isFailure ? spaceName : item.approval.spaceName;
  const subject = useSubject(item);
  return (
    <li className={css.rowItem}>
      <Link
        href={`/inbox/${item.id}${search === '' ? '' : `?${search}`}`}
        data-item={item.id}
        className={item.isFailure ? `${css.row} ${css.failure}` : css.row}
        aria-current={isSelected ? 'true' : undefined}
        tabIndex={isStop ? 0 : -1}
      >
        <span className={css.kindIcon}>
          <KindIcon kind={item.kind} />
        </span>
        <span className={css.rowBody}>
          <span className={css.rowHead}>
            <span className={css.kind}>{t.kinds[item.kind]}</span>
            <RowState ws={ws} item={item} />
          </span>
          <span className={css.subject}>{subject}</span>
          <span className={css.meta}>
            {item.isFailure ? null : <span>{who}</span>}
            {where === null ? null : <span>{where}</span>}
            <Age since={item.since} />
            {item.isFailure ? <StopWords ws={ws} stop={item.trouble} /> : null}
          </span>
        </span>
      </Link>
      {item.isFailure && canResume(item.trouble) ? (
        <ResumeInRow ws={ws} trouble={item.trouble} isStop={isStop} />
      ) : null}
    </li>
  );
});

function useSubject(item: QueueItem): string {
  const t = useText(askText);
  const wordsOf = useFamilyWords();
  if (!item.isFailure) return subjectOf(item.approval);
  const { name, errorFamily } = item.trouble;
  const what = item.kind === 'failed' ? t.runFailed(name) : t.runBlocked(name);
  return errorFamily === null ? what : t.because(what, wordsOf(errorFamily).label);
}

/** That it is under way, or decided, or who else looks at it. */
function RowState({ ws, item }: { ws: string; item: QueueItem }) {
  const t = useText(inboxText);
  const { isPending } = useStanding(item.id);
  const isSettled = useSettled((state) => state.byId[item.id] !== undefined);
  const until = useAway(({ byId }) => byId[item.id]);
  if (until !== undefined && !isSettled)
    return <span className={css.soft}>{until === null ? t.aside : t.until(dateTime(until))}</span>;
  if (item.isFailure) return null;
  if (isSettled) return <SettledState ws={ws} item={item} />;
  if (isPending) return <Status status="running" label={t.sending} />;
  return (
    <>
      {item.approval.status === 'unattended' ? <span className={css.late}>{t.nobodyHere}</span> : null}
      <RowOnlookers id={item.id} />
    </>
  );
}

function SettledState({ ws, item }: { ws: string; item: WaitingItem }) {
  const t = useText(inboxText);
  const me = useMe();
  const nameOf = useNames(ws);
  const { decidedBy } = item.approval;
  const by = decidedBy === null || decidedBy === me.actor ? null : nameOf(decidedBy).name;
  return <Status {...outcomeWords(item.approval, by, t)} />;
}

function RowOnlookers({ id }: { id: string }) {
  const t = useText(inboxText);
  const people = useOnlookers(`approval:${id}`);
  if (people.length === 0) return null;
  const words = t.looking(listed(people.map(({ name }) => name)), people.length);
  return (
    <span className={css.faces} title={words}>
      <span className="visually-hidden">{words}</span>
      {people.slice(0, 3).map(({ actor, name }) => (
        <Avatar key={actor} name={name} kind="person" />
      ))}
    </span>
  );
}
