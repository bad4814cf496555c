import { useText } from '../i18n/text.ts';
import { Avatar } from '../ui/avatar.tsx';
import { useOnlookers } from './focus.ts';
import css from './preview.module.css';
import { inboxText } from './text.ts';

/** Who else looks at the item, so that two people do not decide it side by side unknowing. */
export function Onlookers({ id }: { id: string }) {
  const t = useText(inboxText);
  const people = useOnlookers(`approval:${id}`);
  return (
    <p role="status" className={people.length > 0 ? css.onlookers : 'visually-hidden'}>
      {people.map(({ actor, name }) => (
        <Avatar key={actor} name={name} kind="person" />
      ))}
      {people.length > 0 ? t.looking(namesInOne(people, t.and), people.length) : null}
    </p>
  );
}

/** `Mara`, `Mara and Ida`, `Mara, Ida and Jo`. */
export function namesInOne(people: readonly { name: string }[], and: string): string {
  const names = people.map(({ name }) => name);
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')}${and}${names.at(-1)}`;
}
