import { AlarmClock } from 'lucide-react';
import { useRef } from 'react';
import { clockTime, dateTime } from '../i18n/format.ts';
import { useText } from '../i18n/text.ts';
import { useKeys } from '../keys/registry.ts';
import { Button } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';
import { notify } from '../ui/notices.tsx';
import { useNow } from '../ui/use-now.ts';
import { putAway, takeBack, useAway } from './away.ts';
import { tomorrow } from './away-times.ts';
import css from './preview.module.css';
import { inboxText } from './text.ts';

const HOUR_MS = 3_600_000;

const timesFrom = (now: number) => ({ hour: now + HOUR_MS, tomorrow: tomorrow(new Date(now)) });

interface PutOffProps {
  id: string;
  /** It is off the list now. */
  onDone(): void;
}

/** Puts an item off, for this person alone, or says until when it is and takes it back. `s` does either. */
export function PutOff({ id, onDone }: PutOffProps) {
  const t = useText(inboxText);
  const until = useAway(({ byId }) => byId[id]);
  // The item may have been on the screen since yesterday.
  const now = useNow();
  const menu = useRef<HTMLDivElement>(null);
  const open = () => menu.current?.querySelector<HTMLButtonElement>('[aria-haspopup]')?.click();
  useKeys([
    {
      ...{ keys: 's', label: until === undefined ? t.snoozeKey : t.wakeKey, group: t.group },
      run: () => (until === undefined ? open() : takeBack(id)),
    },
  ]);
  if (until !== undefined)
    return (
      <div className={css.away}>
        <AlarmClock size={15} aria-hidden />
        <span>{until === null ? t.isAside : t.isAwayUntil(dateTime(until))}</span>
        <Button onClick={() => takeBack(id)}>{t.wake}</Button>
      </div>
    );
  const times = timesFrom(now);
  const putOff = (chosen: keyof typeof times) => {
    const backAt = timesFrom(Date.now())[chosen];
    putAway(id, backAt);
    notify(t.snoozed(dateTime(backAt)), { action: { label: t.undo, run: () => takeBack(id) } });
    onDone();
  };
  return (
    <div className={css.putOff} ref={menu}>
      <Menu
        label={t.snooze}
        button={
          <>
            <AlarmClock size={14} aria-hidden /> {t.snooze}
          </>
        }
        items={[
          { value: 'hour', label: t.forAnHour, hint: t.untilTime(clockTime(times.hour)) },
          { value: 'tomorrow', label: t.untilTomorrow, hint: dateTime(times.tomorrow) },
        ]}
        onChoose={putOff}
      />
    </div>
  );
}
