import css from './form-error.module.css';

/** What the server refused, in its words, at the foot of a form. */
export function FormError({ error }: { error: unknown }) {
  if (!error) return null;
  return (
    <p role="alert" className={css.error}>
      {error instanceof Error ? error.message : String(error)}
    </p>
  );
}
