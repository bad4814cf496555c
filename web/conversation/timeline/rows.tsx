import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { Button } from '../../ui/button.tsx';
import { conversationText } from '../text.ts';
import css from './timeline.module.css';

const DAY_MS = 24 * 60 * 60_000;

export function DayRow({ at }: { at: number }) {
  const t = useText(conversationText);
  const language = useLanguage((state) => state.language);
  const startOfDay = (time: number) => new Date(time).setHours(0, 0, 0, 0);
  const daysAgo = Math.round((startOfDay(Date.now()) - startOfDay(at)) / DAY_MS);
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'full' }).format(at);
  const label = daysAgo === 0 ? t.today : daysAgo === 1 ? t.yesterday : date;
  return (
    <h2 className={css.day}>
      <time dateTime={new Date(at).toISOString()} title={date}>
        {label}
      </time>
    </h2>
  );
}

interface BeginningProps {
  isThread: boolean;
  hasOlder: boolean;
  isLoading: boolean;
  onLoad(): void;
}

/** Above the first message: older ones, which also come by themselves, or the beginning. */
export function BeginningRow({ isThread, hasOlder, isLoading, onLoad }: BeginningProps) {
  const t = useText(conversationText);
  if (!hasOlder) return isThread ? <span /> : <p className={css.beginning}>{t.beginning}</p>;
  return (
    <div className={css.beginning}>
      <Button kind="quiet" isPending={isLoading} onClick={onLoad}>
        {isLoading ? t.loadingOlder : t.loadOlder}
      </Button>
    </div>
  );
}
