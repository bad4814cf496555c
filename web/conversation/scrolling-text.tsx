import type { ReactNode } from 'react';
import { visibleText } from '../ui/visible-text.ts';

interface ScrollingTextProps {
  label: string;
  className?: string | undefined;
  children: ReactNode;
}

/** Text in lines as it is, what would not be seen included, in a place of its own that scrolls, also by the keyboard. */
export function ScrollingText({ label, className, children }: ScrollingTextProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <section tabIndex={0} aria-label={label} className={className}>
      <pre>{typeof children === 'string' ? visibleText(children) : children}</pre>
    </section>
  );
}
