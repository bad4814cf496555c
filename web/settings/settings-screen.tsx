import { Link, useSearchParams } from 'wouter';
import { texts, useText } from '../i18n/text.ts';
import { Access } from './access.tsx';
import { Appearance } from './appearance.tsx';
import { Enforcement } from './enforcement.tsx';
import { People } from './people.tsx';
import css from './settings-screen.module.css';
import { You } from './you.tsx';

const words = texts(
  {
    title: 'Settings',
    sections: 'Sections of the settings',
    you: 'You',
    appearance: 'Appearance',
    access: 'Access',
    people: 'People',
    enforcement: 'Enforcement',
  },
  {
    title: 'Réglages',
    sections: 'Sections des réglages',
    you: 'Vous',
    appearance: 'Apparence',
    access: 'Accès',
    people: 'Personnes',
    enforcement: 'Garanties',
  },
);

const SECTIONS = ['you', 'appearance', 'access', 'people', 'enforcement'] as const;

/** What holds for this person, for this browser, for the people of the server, and what is enforced on it. */
export default function SettingsScreen({ ws }: { ws: string }) {
  const t = useText(words);
  const [search] = useSearchParams();
  const open = SECTIONS.find((one) => one === search.get('tab')) ?? 'you';
  return (
    <div className={css.settings}>
      <h1>{t.title}</h1>
      <nav aria-label={t.sections} className={css.sections}>
        {SECTIONS.map((section) => (
          <Link
            key={section}
            href={`/settings?tab=${section}`}
            className={css.section}
            aria-current={section === open ? 'page' : undefined}
          >
            {t[section]}
          </Link>
        ))}
      </nav>
      <section aria-label={t[open]} className={css.panel}>
        {open === 'you' ? <You /> : null}
        {open === 'appearance' ? <Appearance /> : null}
        {open === 'access' ? <Access /> : null}
        {open === 'people' ? <People /> : null}
        {open === 'enforcement' ? <Enforcement ws={ws} /> : null}
      </section>
    </div>
  );
}
