import { lazy, Suspense } from 'react';
import css from './run.module.css';

const Markdown = lazy(() =>
  import('../conversation/markdown.tsx').then(({ Markdown: View }) => ({ default: View })),
);

/** Text as Markdown; as it stands while the renderer is on its way. */
export function LazyMarkdown({ text, isStreaming = false }: { text: string; isStreaming?: boolean }) {
  return (
    <Suspense fallback={<div className={css.plain}>{text}</div>}>
      <Markdown text={text} isStreaming={isStreaming} />
    </Suspense>
  );
}
