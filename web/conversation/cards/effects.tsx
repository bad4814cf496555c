import type { EffectClass } from '../../../core-wasm/core.ts';
import { texts, useText } from '../../i18n/text.ts';
import css from './cards.module.css';
import { cardText, effectText } from './text.ts';

export function Effects({ effects }: { effects: readonly EffectClass[] }) {
  const words = useText(effectText);
  return effects.map((effect) => words[effect] ?? effect).join(', ');
}

interface AskedEffectsProps {
  /** All that the call may do. */
  effects: readonly EffectClass[];
  /** Those for which a word is needed. */
  asked: readonly EffectClass[];
}

/** Every effect of a call, first those for which a word is needed, which say so. */
export function AskedEffects({ effects, asked }: AskedEffectsProps) {
  const t = useText(cardText);
  const words = useText(effectText);
  const free = effects.filter((effect) => !asked.includes(effect));
  return (
    <ul>
      {asked.map((effect) => (
        <li key={effect}>
          <strong>{words[effect] ?? effect}</strong> <span className={css.needs}>{t.needsWord}</span>
        </li>
      ))}
      {free.map((effect) => (
        <li key={effect}>{words[effect] ?? effect}</li>
      ))}
    </ul>
  );
}

const whyWords = texts(
  { agreed: (rule = 'default') => `A person has to agree to this (${rule}).` },
  { agreed: (rule = 'par défaut') => `Il faut l’accord d’une personne (${rule}).` },
);

/** Why a word is needed. What stands beside it names the effects, which the server's sentence has by their codes. */
export function WhyAsked({ reason }: { reason: string }) {
  const t = useText(whyWords);
  const known = /approval, by (?:default|the rule (\S+) of the \w+)\.$/.exec(reason);
  return known ? t.agreed(known[1]) : <span lang="en">{reason}</span>;
}
