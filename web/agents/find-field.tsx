import { Search } from 'lucide-react';
import type { RefObject } from 'react';
import css from './find-field.module.css';

interface FindFieldProps {
  /** What is looked for; also stands in the empty field. */
  label: string;
  value: string;
  field: RefObject<HTMLInputElement | null>;
  onChange(value: string): void;
}

/** Words to look for; Escape empties it. */
export function FindField({ label, value, field, onChange }: FindFieldProps) {
  return (
    <label className={css.find}>
      <Search size={15} aria-hidden />
      <span className="visually-hidden">{label}</span>
      <input
        ref={field}
        type="search"
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && value !== '' && onChange('')}
      />
    </label>
  );
}
