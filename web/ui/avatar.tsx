import css from './avatar.module.css';

/** A person or an agent in two letters; agents are square, so that shape alone tells them apart. */
export function Avatar({ name, kind }: { name: string; kind: 'person' | 'agent' | 'service' }) {
  return (
    <span className={`${css.avatar} ${css[kind]}`} aria-hidden="true">
      {initials(name)}
    </span>
  );
}

function initials(name: string): string {
  const [first = '', second] = name.split(/[\s_-]+/).filter(Boolean);
  return (second ? `${first.charAt(0)}${second.charAt(0)}` : first.slice(0, 2)).toUpperCase();
}
