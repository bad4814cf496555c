import { texts, useText } from '../i18n/text.ts';
import { Dialog } from '../ui/dialog.tsx';
import css from './key-help.module.css';
import { useKeySettings } from './key-settings.ts';
import { Keys } from './keys.tsx';
import { type KeyBinding, useKeyBindings } from './registry.ts';

const words = texts(
  {
    title: 'Keyboard',
    close: 'Close',
    singles: 'Keys without Ctrl, Alt or ⌘ are off. Turn them on in Settings, Appearance.',
    fields: 'Keys without a modifier rest while you type in a field.',
  },
  {
    title: 'Clavier',
    close: 'Fermer',
    singles: 'Les touches sans Ctrl, Alt ni ⌘ sont désactivées. Réactivez-les dans Réglages, Apparence.',
    fields: 'Les touches sans modificateur sont en pause pendant que vous écrivez dans un champ.',
  },
);

/** Every key that does something on the screens that are up. */
export default function KeyHelp({ onClose }: { onClose(): void }) {
  const t = useText(words);
  const bindings = useKeyBindings((state) => state.bindings);
  const hasSingleKeys = useKeySettings((state) => state.hasSingleKeys);
  const groups = Map.groupBy(distinct(bindings), ({ group }) => group);
  return (
    <Dialog title={t.title} closeLabel={t.close} onClose={onClose} isWide>
      <p className={css.note}>{hasSingleKeys ? t.fields : t.singles}</p>
      {/* What is bound last belongs to the screen that is up; what holds everywhere comes after it. */}
      <div>
        {[...groups].toReversed().map(([group, items]) => (
          <section key={group} className={css.group} aria-label={group}>
            <h3>{group}</h3>
            <dl>
              {[...Map.groupBy(items, ({ label }) => label)].map(([label, same]) => (
                <div key={label} className={css.row}>
                  <dt>{label}</dt>
                  <dd className={css.keys}>
                    {same.map(({ keys }) => (
                      <Keys key={keys} keys={keys} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

/** A list binds the same keys for each of its parts; people need to read them once. */
function distinct(bindings: readonly KeyBinding[]): KeyBinding[] {
  return [...new Map(bindings.map((one) => [`${one.group}\n${one.keys}\n${one.label}`, one])).values()];
}
