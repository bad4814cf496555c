import type { ButtonHTMLAttributes, ReactNode } from 'react';
import css from './button.module.css';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  /** Why it cannot be pressed, in words: the button stays focusable and says so. */
  disabledReason?: string | null | undefined;
  isPending?: boolean;
  children: ReactNode;
}

/** A button that says why it is disabled instead of going dead. */
export function Button({
  kind = 'plain',
  disabledReason,
  isPending = false,
  onClick,
  className,
  title,
  children,
  ...rest
}: ButtonProps) {
  const isOff = isPending || Boolean(disabledReason);
  return (
    <button
      type="button"
      {...rest}
      className={[css.button, css[kind], className].filter(Boolean).join(' ')}
      aria-disabled={isOff || undefined}
      aria-busy={isPending || undefined}
      title={disabledReason ?? title}
      onClick={isOff ? (event) => event.preventDefault() : onClick}
    >
      {children}
      {disabledReason ? <span className="visually-hidden"> ({disabledReason})</span> : null}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonProps, 'children'> {
  /** The name; shown as a tip. */
  label: string;
  icon: ReactNode;
}

export function IconButton({ label, icon, className, ...rest }: IconButtonProps) {
  return (
    <Button
      kind="quiet"
      {...rest}
      aria-label={label}
      title={label}
      className={[css.icon, className].filter(Boolean).join(' ')}
    >
      {icon}
    </Button>
  );
}
