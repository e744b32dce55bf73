import type { ReactNode } from 'react';
import { classNames } from './classNames.ts';

export interface FieldFrameProps {
  label: ReactNode;
  /** True to show the label to screen readers only. */
  hideLabel?: boolean;
  hint?: ReactNode;
  /** Error text. Marks the input as invalid, and replaces the hint unless the field is steady. */
  error?: ReactNode;
  /** True if the hint stays, above the input, and two lines below are reserved for the error, so that nothing moves. */
  steady?: boolean;
}

/** Classes of all text inputs. 16 px on touch devices, so that phones do not zoom in. */
export const inputClasses = classNames(
  'w-full rounded-control border border-line-strong bg-raised text-ink',
  'text-14 pointer-coarse:text-16 transition-[border-color,box-shadow] duration-150',
  'hover:border-muted focus-visible:outline-none focus-visible:border-focus focus-visible:ring-3 focus-visible:ring-accent/30',
  'disabled:opacity-55 read-only:bg-sunken',
  'aria-invalid:border-danger aria-invalid:focus-visible:ring-danger/25',
);

/** Label above, message below. Changes of the message are announced. */
export function Field({
  id,
  label,
  hideLabel,
  hint,
  error,
  steady = false,
  className,
  children,
}: FieldFrameProps & { id: string; className?: string; children: ReactNode }) {
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
