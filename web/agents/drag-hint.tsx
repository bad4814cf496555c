import { useText } from '../i18n/text.ts';
import css from './org.module.css';
import { orgText } from './org-text.ts';
import type { Drag } from './use-superior-drag.ts';

interface DragHintProps {
  drag: Drag | null;
  nameOf(id: string): string;
}

/** Beside the pointer: what letting go here would do, or why nothing. */
export function DragHint({ drag, nameOf }: DragHintProps) {
  const t = useText(orgText);
  const words = drag === null ? '' : saying(drag, nameOf, t);
  return (
    <>
      <p role="status" className="visually-hidden">
        {words}
      </p>
      {drag ? (
        <p
          aria-hidden="true"
          className={css.hint}
          data-kind={drag.target.kind}
          style={{ left: `min(${drag.x + 14}px, calc(100vw - 19rem))`, top: `${drag.y + 14}px` }}
        >
          {words}
        </p>
      ) : null}
    </>
  );
}

type Words = (typeof orgText)['en'];

function saying({ id, target }: Drag, nameOf: (id: string) => string, t: Words): string {
  const name = nameOf(id);
  switch (target.kind) {
    case 'nowhere':
      return t.dragging(name);
    case 'circle':
      return t.circle(target.names.join(' → '));
    case 'same':
      return target.superior === null ? t.alreadyTop(name) : t.already(name, nameOf(target.superior));
    case 'fits':
      return target.superior === null ? t.dropTop(name) : t.drop(name, nameOf(target.superior));
  }
}
