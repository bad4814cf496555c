import { count, money } from '../i18n/format.ts';
import { texts, useText } from '../i18n/text.ts';
import { Badge } from '../ui/badge.tsx';
import type { Model } from './agent-data.ts';
import css from './models-table.module.css';

const words = texts(
  {
    caption: 'Models, prices in dollars for a million tokens',
    model: 'Model',
    provider: 'Provider',
    context: 'Context',
    effort: 'Effort',
    reads: 'Reads',
    input: 'In',
    output: 'Out',
    cacheRead: 'Cache read',
    cacheWrite: 'Cache write',
    text: 'text',
    media: { image: 'images', pdf: 'PDF' },
    unknown: 'not known',
    none: 'none',
    isDefault: 'default',
    chosen: 'chosen',
    above: (tokens: string, input: string, output: string) =>
      `above ${tokens} tokens ${input} in, ${output} out`,
  },
  {
    caption: 'Modèles, prix en dollars par million de jetons',
    model: 'Modèle',
    provider: 'Fournisseur',
    context: 'Contexte',
    effort: 'Effort',
    reads: 'Lit',
    input: 'Entrée',
    output: 'Sortie',
    cacheRead: 'Lecture du cache',
    cacheWrite: 'Écriture du cache',
    text: 'texte',
    media: { image: 'images', pdf: 'PDF' },
    unknown: 'inconnu',
    none: 'aucun',
    isDefault: 'par défaut',
    chosen: 'choisi',
    above: (tokens: string, input: string, output: string) =>
      `au-delà de ${tokens} jetons, ${input} en entrée, ${output} en sortie`,
  },
);

interface ModelsTableProps {
  items: readonly Model[];
  defaultId: string;
  chosen: string;
}

/** What models there are, what they take and what they cost. */
export function ModelsTable({ items, defaultId, chosen }: ModelsTableProps) {
  const t = useText(words);
  const columns = [t.input, t.output, t.context, t.effort, t.reads, t.cacheRead, t.cacheWrite, t.provider];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <section className={css.scroll} tabIndex={0} aria-label={t.caption}>
      <table className={css.modelTable}>
        <caption>{t.caption}</caption>
        <thead>
          <tr>
            <th scope="col">{t.model}</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((model) => (
            <Row
              key={model.id}
              model={model}
              isDefault={model.id === defaultId}
              isChosen={model.id === (chosen || defaultId)}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Row({ model, isDefault, isChosen }: { model: Model; isDefault: boolean; isChosen: boolean }) {
  const t = useText(words);
  const { id, provider, contextTokens, effort, media, prices } = model;
  const price = (micros: number | undefined) => (micros === undefined ? t.unknown : money(micros));
  const above = prices?.above;
  return (
    <tr>
      <th scope="row">
        {id} {isDefault ? <Badge>{t.isDefault}</Badge> : null}{' '}
        {isChosen ? <Badge tone="accent">{t.chosen}</Badge> : null}
        {above ? (
          <span className={css.above}>
            {t.above(
              count(above.inputTokens),
              money(above.prices.inputMicrosPerMTok),
              money(above.prices.outputMicrosPerMTok),
            )}
          </span>
        ) : null}
      </th>
      <td className={css.number}>{price(prices?.inputMicrosPerMTok)}</td>
      <td className={css.number}>{price(prices?.outputMicrosPerMTok)}</td>
      <td className={css.number}>{count(contextTokens)}</td>
      <td>{effort.length === 0 ? t.none : effort.join(', ')}</td>
      <td>{[t.text, ...media.map((one) => t.media[one])].join(', ')}</td>
      <td className={css.number}>{price(prices?.cacheReadMicrosPerMTok)}</td>
      <td className={css.number}>{price(prices?.cacheWriteMicrosPerMTok)}</td>
      <td>{provider}</td>
    </tr>
  );
}
