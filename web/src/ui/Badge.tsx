import type { ReactNode } from 'react';
import { classNames } from './classNames.ts';

export type BadgeTone = 'neutral' | 'accent' | 'warning' | 'danger' | 'info';

const tones: Record<BadgeTone, string> = {
  neutral: 'bg-sunken text-muted',
  accent: 'bg-accent-subtle text-accent-text',
  warning: 'bg-warning-subtle text-warning-text',
  danger: 'bg-danger-subtle text-danger-text',
  info: 'bg-info-subtle text-info-text',
};

/** A few words about the thing beside it. */
export function Badge({
  tone = 'neutral',
  className,
  children,
}: {
  tone?: BadgeTone;
  className?: string;
  children: ReactNode;
}) {
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-12 font-medium whitespace-nowrap',
        tones[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}

/** A round number, for what waits. Above 99 it says 99+; with `mentioned` an @ stands before it; `label` is what is read aloud. */
export function CountBadge({
  count,
  label,
  muted = false,
  mentioned = false,
  className,
}: {
  count: number;
  label: string;
  muted?: boolean;
  mentioned?: boolean;
  className?: string;
}) {
  if (count <= 0) return null;
  return (
    <span
      className={classNames(
        'tabular inline-flex h-5 min-w-5 items-center justify-center rounded-full px-1.5 text-12 font-semibold',
        mentioned ? 'bg-ink text-page' : muted ? 'bg-sunken text-muted' : 'bg-accent text-on-accent',
        className,
      )}
    >
      {/* Drawn, and no text: it is no part of what a link around it is called. */}
      <span
        aria-hidden="true"
        data-count={`${mentioned ? '@' : ''}${count > 99 ? '99+' : count}`}
        className="before:content-[attr(data-count)]"
      />
      <span className="sr-only">{label}</span>
    </span>
  );
}
