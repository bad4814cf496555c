import type { ReactNode } from 'react';

interface ScrollingTextProps {
  label: string;
  className?: string | undefined;
  children: ReactNode;
}

/** Text in lines as it is, in a place of its own that scrolls, also by the keyboard. */
export function ScrollingText({ label, className, children }: ScrollingTextProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <section tabIndex={0} aria-label={label} className={className}>
      <pre>{children}</pre>
    </section>
  );
}
