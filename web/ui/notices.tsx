import { X } from 'lucide-react';
import { type FocusEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { create } from 'zustand';
import { faultSentence } from '../i18n/fault-words.ts';
import { texts, useText } from '../i18n/text.ts';
import { everywhereText } from '../keys/everywhere.ts';
import { useKeys } from '../keys/registry.ts';
import { Button, IconButton } from './button.tsx';
import { FaultText } from './fault-text.tsx';
import { noticePlace } from './notice-place.ts';
import css from './notices.module.css';
import { useKeptFocus } from './use-kept-focus.ts';

interface Notice {
  id: number;
  /** As it is said; what is said again takes the place of the first time. */
  text: string;
  content: ReactNode;
  tone: 'plain' | 'bad';
  action: { label: string; run(): void } | null;
}

const STAY_MS = 8_000;
const MOST = 4;
const useNotices = create<{ notices: readonly Notice[] }>()(() => ({ notices: [] }));
let nextId = 1;

const dismiss = (id: number) =>
  useNotices.setState(({ notices }) => ({ notices: notices.filter((one) => one.id !== id) }));

const add = (notice: Omit<Notice, 'id'>) =>
  useNotices.setState(({ notices }) => ({
    notices: [
      ...notices.filter(({ text }) => text !== notice.text).slice(1 - MOST),
      { ...notice, id: nextId++ },
    ],
  }));

/** Tells the person of something, with at most one way to act on it (an undo). A failure stays until it is dismissed. */
export function notify(
  text: string,
  { tone = 'plain', action = null }: Partial<Pick<Notice, 'tone' | 'action'>> = {},
): void {
  add({ text, content: text, tone, action });
}

/** Says what failed and what to do about it. */
export function notifyFailure(error: unknown): void {
  add({ text: faultSentence(error), content: <FaultText error={error} />, tone: 'bad', action: null });
}

const words = texts(
  { dismiss: 'Dismiss', region: 'Notices', go: 'Go to the notices' },
  { dismiss: 'Fermer', region: 'Annonces', go: 'Aller aux annonces' },
);

/** All notices, over whatever is up: a modal dialog has them in itself, since nothing outside of it can be heard or reached. */
export function Notices() {
  const t = useText(words);
  const notices = useNotices((state) => state.notices);
  const [isHeld, setHeld] = useState(false);
  const before = useRef<EventTarget | null>(null);
  const region = useKeptFocus<HTMLElement>(() =>
    before.current instanceof HTMLElement && before.current.isConnected
      ? before.current
      : document.querySelector('main'),
  );
  const hasSome = notices.length > 0;
  useEffect(() => {
    if (!hasSome) setHeld(false);
  }, [hasSome]);
  const enter = ({ currentTarget, relatedTarget }: FocusEvent) => {
    setHeld(true);
    if (!currentTarget.contains(relatedTarget as Node | null)) before.current = relatedTarget;
  };
  return createPortal(
    <section
      className={css.notices}
      aria-label={t.region}
      ref={region}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={enter}
      onBlur={() => setHeld(false)}
    >
      {hasSome ? <Way /> : null}
      {/* Two regions: what failed interrupts, the rest waits for its turn. */}
      {(['plain', 'bad'] as const).map((tone) => (
        <div key={tone} role={tone === 'bad' ? 'alert' : 'status'}>
          {notices
            .filter((one) => one.tone === tone)
            .map((notice) => (
              <OneNotice key={notice.id} notice={notice} isHeld={isHeld} />
            ))}
        </div>
      ))}
    </section>,
    noticePlace,
  );
}

/** The key to them, while there are any. */
function Way() {
  const t = useText(words);
  const { everywhere: group } = useText(everywhereText);
  const run = () => noticePlace.querySelector('button')?.focus();
  useKeys([{ keys: 'F8', label: t.go, group, inFields: true, run }]);
  return null;
}

function OneNotice({ notice, isHeld }: { notice: Notice; isHeld: boolean }) {
  const t = useText(words);
  const { id, content, tone, action } = notice;
  const stays = isHeld || tone === 'bad';
  // Nothing goes while somebody reads it or is about to press it.
  useEffect(() => {
    if (stays) return;
    const timer = setTimeout(dismiss, STAY_MS, id);
    return () => clearTimeout(timer);
  }, [id, stays]);
  return (
    <div className={`${css.notice} ${css[tone]}`}>
      <p>{content}</p>
      {action ? (
        <Button
          onClick={() => {
            dismiss(id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      ) : null}
      <IconButton
        className={css.dismiss}
        label={t.dismiss}
        icon={<X size={15} aria-hidden />}
        onClick={() => dismiss(id)}
      />
    </div>
  );
}
