import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts, useText } from '../i18n/text.ts';
import { IconButton } from '../ui/button.tsx';
import { visibleText } from '../ui/visible-text.ts';
import css from './inspector.module.css';
import { usePlanUrl } from './plan-screen-url.ts';

const words = texts({ close: 'Back to the plan' }, { close: 'Revenir au plan' });

/** The heading of what is beside the graph, with the way back to the plan as a whole. */
export function InspectorHead({ title, children }: { title: string; children?: ReactNode }) {
  const t = useText(words);
  const { go } = usePlanUrl();
  return (
    <header className={css.head}>
      <h2>{visibleText(title)}</h2>
      {children}
      <IconButton
        label={t.close}
        icon={<X size={16} aria-hidden />}
        onClick={() => go({ node: null, panel: 'details' })}
      />
    </header>
  );
}
