import { useRef } from 'react';
import { FindField } from '../agents/find-field.tsx';
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
      <FindField label={t.find} value={text} field={input} onChange={onChange} />
      <span role="status" className={css.told}>
        {isOn ? t.found(shown, all) : null} {isOn && isCut ? t.foundCut : null}
      </span>
      {isOn && shown < all ? <Button onClick={() => onChange('')}>{t.showAllAnswers}</Button> : null}
    </search>
  );
}
