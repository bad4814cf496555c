import { useText } from '../i18n/text.ts';
import { Avatar } from '../ui/avatar.tsx';
import { useOnlookers } from './focus.ts';
import { listed } from './listed.ts';
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
      {people.length > 0 ? t.looking(listed(people.map(({ name }) => name)), people.length) : null}
    </p>
  );
}
