import type { ReactNode } from 'react';
import { classNames } from './classNames.ts';

export interface FieldFrame {
  label: ReactNode;
  /** Keeps the label for screen readers only. */
  hideLabel?: boolean;
  hint?: ReactNode;
  /** What is wrong; the input is marked invalid. It replaces the hint unless the field is steady. */
  error?: ReactNode;
  /** The hint stays, above the input, and two lines below are kept for what is wrong, so that nothing moves. */
  steady?: boolean;
}

/** The classes every text input shares. 16 px on touch, so that phones do not zoom in. */
export const inputClasses = classNames(
  'w-full rounded-control border border-line-strong bg-raised text-ink',
  'text-14 pointer-coarse:text-16 transition-[border-color,box-shadow] duration-150',
  'hover:border-muted focus-visible:outline-none focus-visible:border-focus focus-visible:ring-3 focus-visible:ring-accent/30',
  'disabled:opacity-55 read-only:bg-sunken',
  'aria-invalid:border-danger aria-invalid:focus-visible:ring-danger/25',
);

/** Label above, message below; the message's line is announced when it changes. */
export function Field({
  id,
  label,
  hideLabel,
  hint,
  error,
  steady = false,
  className,
  children,
}: FieldFrame & { id: string; className?: string; children: ReactNode }) {
  const message = error ?? (steady ? null : hint);
  const isError = error !== undefined && error !== null;
  return (
    <div className={classNames('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-13 font-medium text-ink'}>
        {label}
      </label>
      {steady && hint !== undefined && (
        <p id={`${id}-hint`} className="-mt-1 text-13 text-muted">
          {hint}
        </p>
      )}
      {children}
      <p
        id={`${id}-message`}
        {...(isError ? { role: 'alert' } : { 'aria-live': 'polite' })}
        className={classNames(
          'text-13',
          steady ? 'min-h-[2.8em]' : 'empty:hidden',
          isError ? 'text-danger-text' : 'text-muted',
        )}
      >
        {message}
      </p>
    </div>
  );
}
