import { Search } from 'lucide-react';
import { useRef } from 'react';
import { useText } from '../i18n/text.ts';
import { useKeys } from '../keys/registry.ts';
import { Button } from '../ui/button.tsx';
import { runWords } from './run-words.ts';
import css from './steps.module.css';

interface StepFilterProps {
  text: string;
  /** How many answers there are, and how many have the words. */
  all: number;
  shown: number;
  /** Some output is not here as a whole, so that its rest is not looked through. */
  isCut: boolean;
  onChange(text: string): void;
}

/** Words that answers must have to be shown, and how many are hidden for them. */
export function StepFilter({ text, all, shown, isCut, onChange }: StepFilterProps) {
  const t = useText(runWords);
  const input = useRef<HTMLInputElement>(null);
  useKeys([{ keys: '/', label: t.find, group: t.group, run: () => input.current?.focus() }]);
  const isOn = text.trim() !== '';
  return (
    <search className={css.filter} aria-label={t.find}>
      <label className={css.find}>
        <Search size={15} aria-hidden />
        <span className="visually-hidden">{t.find}</span>
        <input
          ref={input}
          type="search"
          placeholder={t.find}
          value={text}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && text !== '' && onChange('')}
        />
      </label>
      <span role="status" className={css.told}>
        {isOn ? t.found(shown, all) : null} {isOn && isCut ? t.foundCut : null}
      </span>
      {isOn && shown < all ? <Button onClick={() => onChange('')}>{t.showAllAnswers}</Button> : null}
    </search>
  );
}
