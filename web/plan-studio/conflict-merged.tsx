import { GitMerge, X } from 'lucide-react';
import { useNames } from '../conversation/names.ts';
import { texts, useText } from '../i18n/text.ts';
import { Button, IconButton } from '../ui/button.tsx';
import css from './conflict.module.css';
import { focusInstead } from './focus-field.ts';
import { useDesk, useDraft } from './plan-screen-context.ts';
import { useRevisions } from './plan-screen-data.ts';
import { usePlanUrl } from './plan-screen-url.ts';
import { cameWith } from './revisions-compare.ts';
import { fieldLabels } from './revisions-labels.ts';

const words = texts(
  {
    change: {
      added: (title: string) => `added “${title}”`,
      removed: (title: string) => `deleted “${title}”`,
      changed: (title: string, fields: string) => `“${title}” (${fields})`,
    },
    by: (name: string, what: string) => `${name} changed the plan meanwhile: ${what}.`,
    unknown: 'The plan was changed meanwhile.',
    more: (n: number) => `and ${n} more`,
    kept: 'Your edits were put on top.',
    compare: 'See what changed',
    close: 'Got it',
  },
  {
    change: {
      added: (title: string) => `« ${title} » ajouté`,
      removed: (title: string) => `« ${title} » supprimé`,
      changed: (title: string, fields: string) => `« ${title} » (${fields})`,
    },
    by: (name: string, what: string) => `${name} a modifié le plan entre-temps : ${what}.`,
    unknown: 'Le plan a été modifié entre-temps.',
    more: (n: number) => `et ${n} de plus`,
    kept: 'Vos modifications sont reprises par-dessus.',
    compare: 'Voir les changements',
    close: 'Compris',
  },
);

/** Of more changes than these of one person the number is told. */
const TOLD = 3;

/** Says what others changed while one's own edits were not saved, and that those are on top of it now, until it is read. */
export function MergedNotice() {
  const merged = useDraft((state) => state.merged);
  return merged.length > 0 ? <Merged merged={merged} /> : null;
}

function Merged({ merged }: { merged: readonly number[] }) {
  const t = useText(words);
  const { draft } = useDesk();
  const { go } = usePlanUrl();
  const told = useTold(merged);
  const close = () => {
    draft.setState({ merged: [] });
    focusInstead('bar');
  };
  const compare = () => {
    go({ diff: { from: Math.min(...merged) - 1, to: Math.max(...merged) }, rev: null, panel: 'revisions' });
    close();
  };
  return (
    <div className={css.merged} role="status">
      <GitMerge size={16} aria-hidden className={css.sign} />
      <p>
        {told} {t.kept}
      </p>
      <Button kind="quiet" onClick={compare}>
        {t.compare}
      </Button>
      <IconButton label={t.close} icon={<X size={16} aria-hidden />} onClick={close} />
    </div>
  );
}

/** Who changed what, in a sentence for each. */
function useTold(merged: readonly number[]): string {
  const t = useText(words);
  const labels = useText(fieldLabels);
  const { ws, detail } = useDesk();
  const names = useNames(ws);
  const revisions = useRevisions(ws, detail.id, true).data ?? [];
  const came = cameWith(revisions, merged);
  if (came.length === 0) return t.unknown;
  const sentences = came.map(({ author, tickets, others }) => {
    const parts = [
      ...tickets.map(({ title, change, fields }) =>
        t.change[change](title, fields.map(({ field }) => labels[field]).join(', ')),
      ),
      ...others.map((part) => labels[part]),
    ];
    const more = parts.length > TOLD ? [t.more(parts.length - TOLD)] : [];
    return t.by(names(author).name, [...parts.slice(0, TOLD), ...more].join(', '));
  });
  return sentences.join(' ');
}
