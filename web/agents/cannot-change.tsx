import { Eye } from 'lucide-react';
import { useMe } from '../shell/use-me.ts';
import css from './note.module.css';

/** Above what a person may look at but not change: why. Nothing for those who may. */
export function CannotChange() {
  const { cannotChange } = useMe();
  if (cannotChange === null) return null;
  return (
    <p className={css.reason}>
      <Eye size={16} aria-hidden /> {cannotChange}
    </p>
  );
}
