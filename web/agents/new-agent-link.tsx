import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useMe } from '../shell/use-me.ts';
import { Button } from '../ui/button.tsx';

interface NewAgentLinkProps {
  /** Whom the agent will report to. */
  superior?: string;
  className?: string | undefined;
  children: ReactNode;
}

/** The way to a new agent; for those who may not hire, a button that says why. */
export function NewAgentLink({ superior, className, children }: NewAgentLinkProps) {
  const { cannotChange } = useMe();
  if (cannotChange !== null) return <Button disabledReason={cannotChange}>{children}</Button>;
  return (
    <Link
      href={superior === undefined ? '/agents/new' : `/agents/new?reportsTo=${superior}`}
      className={className}
    >
      {children}
    </Link>
  );
}
