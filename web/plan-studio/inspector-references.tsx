import type { ProposedTicket } from '../../core-wasm/core.ts';
import { texts, useText } from '../i18n/text.ts';
import css from './inspector.module.css';

const words = texts(
  {
    touches: 'What it touches',
    unknown: 'Unknown: the plan names no symbol or file for it.',
    file: 'file',
    symbol: 'symbol',
  },
  {
    touches: 'Ce qu’il touche',
    unknown: 'Inconnu : le plan ne nomme ni symbole ni fichier.',
    file: 'fichier',
    symbol: 'symbole',
  },
);

/** The declared blast radius; what is not declared is unknown and never guessed from prose. */
export function References({ ticket }: { ticket: ProposedTicket }) {
  const t = useText(words);
  return (
    <section className={css.block} aria-label={t.touches}>
      <h3>{t.touches}</h3>
      {ticket.references.length === 0 ? <p className={css.soft}>{t.unknown}</p> : null}
      <ul className={css.plainList}>
        {ticket.references.map(({ kind, value }) => (
          <li key={`${kind} ${value}`}>
            <code>{value}</code> <span className={css.soft}>{t[kind]}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
