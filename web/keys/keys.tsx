import { keyCaps } from './key-caps.ts';
import css from './keys.module.css';

/** Keys as they stand on the keyboard: `Ctrl K`. Screen readers read them where they are said, so they are text. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span className={css.keys}>
      {keyCaps(keys).map((caps) => (
        <span className={css.press} key={caps.join()}>
          {caps.map((cap) => (
            <kbd key={cap}>{cap}</kbd>
          ))}
        </span>
      ))}
    </span>
  );
}
