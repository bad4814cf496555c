import { create } from 'zustand';
import { texts, useText } from '../i18n/text.ts';
import { Button } from './button.tsx';
import css from './notices.module.css';

interface Notice {
  id: number;
  text: string;
  tone: 'plain' | 'bad';
  action: { label: string; run(): void } | null;
}

const STAY_MS = 8_000;
const useNotices = create<{ notices: readonly Notice[] }>()(() => ({ notices: [] }));
let nextId = 1;

const dismiss = (id: number) =>
  useNotices.setState(({ notices }) => ({ notices: notices.filter((one) => one.id !== id) }));

/** Tells the person of something, with at most one way to act on it (an undo). A failure stays until it is dismissed. */
export function notify(
  text: string,
  { tone = 'plain', action = null }: Partial<Pick<Notice, 'tone' | 'action'>> = {},
): void {
  const id = nextId++;
  useNotices.setState(({ notices }) => ({ notices: [...notices.slice(-3), { id, text, tone, action }] }));
  if (tone !== 'bad') setTimeout(dismiss, STAY_MS, id);
}

/** Says what failed, in the server's words: they name what, where and how to mend it. */
export function notifyFailure(error: unknown): void {
  notify(error instanceof Error ? error.message : String(error), { tone: 'bad' });
}

const words = texts({ dismiss: 'Dismiss', region: 'Notices' }, { dismiss: 'Fermer', region: 'Annonces' });

export function Notices() {
  const t = useText(words);
  const notices = useNotices((state) => state.notices);
  return (
    <section className={css.notices} aria-label={t.region}>
      {/* Two regions: what failed interrupts, the rest waits for its turn. */}
      {(['plain', 'bad'] as const).map((tone) => (
        <div key={tone} role={tone === 'bad' ? 'alert' : 'status'}>
          {notices
            .filter((one) => one.tone === tone)
            .map(({ id, text, action }) => (
              <div key={id} className={`${css.notice} ${css[tone]}`}>
                <p>{text}</p>
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
                <Button kind="quiet" onClick={() => dismiss(id)}>
                  {t.dismiss}
                </Button>
              </div>
            ))}
        </div>
      ))}
    </section>
  );
}
