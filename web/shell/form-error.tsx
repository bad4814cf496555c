import css from './form-error.module.css';

/** What the server refused, in its words, at the foot of a form. */
export function FormError({ error }: { error: unknown }) {
  return (
    <div role="alert">
      {error ? <p className={css.error}>{error instanceof Error ? error.message : String(error)}</p> : null}
    </div>
  );
}
