import { X } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { useText } from '../i18n/text.ts';
import { useMe } from '../shell/use-me.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import css from './agent.module.css';
import { formText } from './form-text.ts';

interface SkillsFieldProps {
  skills: readonly string[];
  /** Names that others hold, offered while one types. */
  known: readonly string[];
  error: string | null;
  onChange(skills: readonly string[]): void;
}

/** A set of names; one that is there already, however it is written, is not added again. */
export function SkillsField({ skills, known, error, onChange }: SkillsFieldProps) {
  const t = useText(formText);
  const { cannotChange } = useMe();
  const [typed, setTyped] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const list = useId();
  const isHeld = (name: string) => skills.some((one) => one.toLowerCase() === name.toLowerCase());
  const add = () => {
    const name = typed.trim();
    setTyped('');
    if (name !== '' && !isHeld(name)) onChange([...skills, name]);
  };
  const remove = (name: string) => {
    onChange(skills.filter((one) => one !== name));
    input.current?.focus();
  };
  return (
    <div className={css.stack}>
      <Field label={t.fields.skills} hint={t.hints.skills} error={error}>
        {(control) => (
          <span className={css.entry}>
            <input
              {...control}
              readOnly={cannotChange !== null}
              ref={input}
              name="skills"
              list={list}
              autoComplete="off"
              spellCheck={false}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              onBlur={add}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return;
                event.preventDefault();
                add();
              }}
            />
            <Button disabledReason={cannotChange} onClick={add}>
              {t.addSkill}
            </Button>
          </span>
        )}
      </Field>
      <datalist id={list}>
        {known
          .filter((name) => !isHeld(name))
          .map((name) => (
            <option key={name} value={name} />
          ))}
      </datalist>
      {skills.length === 0 ? (
        <p className={css.soft}>{t.noSkills}</p>
      ) : (
        <ul className={css.chips} aria-label={t.fields.skills}>
          {skills.map((name) => (
            <li key={name} className={css.chip}>
              {name}
              {cannotChange === null ? (
                <button type="button" aria-label={t.removeSkill(name)} onClick={() => remove(name)}>
                  <X size={13} aria-hidden />
                </button>
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
