import { FaultText } from '../ui/fault-text.tsx';
import css from './form-error.module.css';

/** What the server refused, at the foot of a form. */
export function FormError({ error }: { error: unknown }) {
  if (!error) return null;
  return (
    <p role="alert" className={css.error}>
      <FaultText error={error} />
    </p>
  );
}
