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

interface BadgeProps {
  tone?: BadgeTone;
  className?: string;
  children: ReactNode;
}

/** Short text about the element beside it. */
export function Badge({ tone = 'neutral', className, children }: BadgeProps) {
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

interface CountBadgeProps {
  count: number;
  label: string;
  muted?: boolean;
  mentioned?: boolean;
  className?: string;
}

/**
 * Round badge with a count. Above 99, it shows 99+. With `mentioned`, an @ precedes it. `label` is for screen readers.
 */
export function CountBadge({ count, label, muted = false, mentioned = false, className }: CountBadgeProps) {
  if (count <= 0) return null;
  return (
    <span
      className={classNames(
        'tabular inline-flex h-5 min-w-5 items-center justify-center rounded-full px-1.5 text-12 font-semibold',
        mentioned ? 'bg-ink text-page' : muted ? 'bg-sunken text-muted' : 'bg-accent text-on-accent',
        className,
      )}
    >
      {/* Drawn by CSS rather than as text, so that it is no part of a surrounding link's name. */}
      <span
        aria-hidden="true"
        data-count={`${mentioned ? '@' : ''}${count > 99 ? '99+' : count}`}
        className="before:content-[attr(data-count)]"
      />
      <span className="sr-only">{label}</span>
    </span>
  );
}
