import { lazy, Suspense } from 'react';
import { withStyles } from '../shell/part-styles.ts';
import css from './markdown.module.css';

const load = () => withStyles('markdown-body', () => import('./markdown/markdown-body.tsx'));
const MarkdownBody = lazy(load);
// Asked for with the first screen that shows text, not with the first text.
void load();

/**
 * Text as Markdown: raw HTML stays text, links lead only to http, https and mailto, images are links. While `isStreaming`, what
 * has only begun (a bold word, a fence) is shown as if it were finished.
 */
export function Markdown({ text, isStreaming = false }: { text: string; isStreaming?: boolean }) {
  return (
    <Suspense fallback={<div className={css.plain}>{text}</div>}>
      <MarkdownBody text={text} isStreaming={isStreaming} />
    </Suspense>
  );
}
