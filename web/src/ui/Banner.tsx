import type { ReactNode } from 'react';
import { classNames } from './classNames.ts';

type BannerTone = 'neutral' | 'info' | 'warning' | 'danger' | 'accent';

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
  /** Buttons such as Retry: beside the text if it stays wide enough to read, otherwise below it. */
  action?: ReactNode;
  /** Dismiss button, always in the top corner. */
  dismiss?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** Line across the top of a pane about the state of everything below. */
export function Banner({ tone = 'neutral', icon, action, dismiss, className, children }: BannerProps) {
  return (
    <div
      role="status"
      data-keep-clear
      className={classNames(
        'flex min-h-10 items-center gap-2.5 border-line px-4 py-1.5 text-13 font-medium [&_svg]:size-4 [&_svg]:shrink-0',
        // Two banners of one tone would look like one.
        'has-[+[role=status]]:border-b forced-colors:border-b',
        tones[tone],
        className,
      )}
    >
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2.5 gap-y-1.5">
        <div className="flex min-w-0 flex-[1_1_14rem] items-center gap-2.5">
          {icon}
          <span className="min-w-0 flex-1">{children}</span>
        </div>
        <div className="ms-auto flex flex-wrap justify-end gap-2 empty:hidden">{action}</div>
      </div>
      {dismiss !== undefined && <div className="-me-2 flex self-start">{dismiss}</div>}
    </div>
  );
}
