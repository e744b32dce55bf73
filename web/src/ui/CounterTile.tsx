import type { LucideIcon } from 'lucide-react';
import { classNames } from './classNames.ts';
import { Skeleton } from './Skeleton.tsx';

/** Frame of a counter, in a container as wide as the list below it. */
export const counterTileClasses = 'flex min-h-19 items-center gap-3 rounded-card border border-line bg-raised py-3';

interface CounterTileProps {
  label: string;
  Icon: LucideIcon;
  /** Undefined while it loads. */
  value: string | number | undefined;
  /** True if something is live now, which highlights the counter. */
  active?: boolean;
  className: string;
}

/** Number above its name, beside an icon if there is room. */
export function CounterTile({ label, Icon, value, active = false, className }: CounterTileProps) {
  return (
    <div className={classNames(counterTileClasses, className)}>
      <span
        aria-hidden="true"
        className={classNames(
          'hidden size-10 shrink-0 items-center justify-center rounded-full @[26rem]:flex',
          active ? 'bg-accent-subtle text-accent-text' : 'bg-sunken text-muted',
        )}
      >
        <Icon className="size-5" />
      </span>
      <p className="min-w-0">
        {value === undefined ? (
          <Skeleton className="my-1 h-6 w-8" />
        ) : (
          <span className={classNames('tabular block text-24 font-semibold', active && 'text-accent-text')}>
            {value}
          </span>
        )}
        <span className="block text-13 leading-tight text-muted">{label}</span>
      </p>
    </div>
  );
}
