import type { ReactNode } from 'react';
import { classNames } from './classNames.ts';

export type BannerTone = 'neutral' | 'info' | 'warning' | 'danger' | 'accent';

const tones: Record<BannerTone, string> = {
  neutral: 'bg-sunken text-ink',
  info: 'bg-info-subtle text-info-text',
  warning: 'bg-warning-subtle text-warning-text',
  danger: 'bg-danger-subtle text-danger-text',
  accent: 'bg-accent-subtle text-accent-text',
};

export interface BannerProps {
  tone?: BannerTone;
  icon?: ReactNode;
  /** At the end: a button such as Retry. */
  action?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** One line across the top of a pane about the state everything below is in. */
export function Banner({ tone = 'neutral', icon, action, className, children }: BannerProps) {
  return (
    <div
      role="status"
      className={classNames(
        'flex min-h-10 items-center gap-2.5 px-4 py-1.5 text-13 font-medium [&_svg]:size-4 [&_svg]:shrink-0',
        tones[tone],
        className,
      )}
    >
      {icon}
      <span className="min-w-0 flex-1">{children}</span>
      {action}
    </div>
  );
}
