import { useId } from 'react';
import { classNames } from './classNames.ts';

export interface MeterProps {
  label: string;
  /** Usage and limit as text. */
  text: string;
  hint?: string;
  used: number;
  /** Maximum. Null if unlimited: `text` says so, and there is no bar. */
  limit: number | null;
  /** True if a full bar means completion rather than exhaustion, so that it shows no warning. */
  fills?: boolean;
}

/** Bar that fills as a limited resource is used up. */
export function Meter({ label, text, hint, used, limit, fills = false }: MeterProps) {
  const labelId = useId();
  const share = limit === null ? 0 : limit > 0 ? Math.min(1, used / limit) : 1;
  const tone = fills || share < 0.9 ? 'bg-accent' : share < 1 ? 'bg-warning' : 'bg-danger';
  return (
    <div>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
        <p id={labelId} className="text-14 font-medium">
          {label}
        </p>
        <p className="tabular text-13 text-muted">{text}</p>
      </div>
      {limit !== null && (
        <div
          role="meter"
          aria-labelledby={labelId}
          aria-valuemin={0}
          aria-valuemax={limit}
          aria-valuenow={Math.min(used, limit)}
          aria-valuetext={text}
          // Forced colors would make the bar indistinguishable from its background.
          className="mt-2 h-2 overflow-hidden rounded-full bg-sunken forced-colors:border"
        >
          <div
            // Minimum width, so that even minimal usage is visible.
            className={classNames('h-full rounded-full forced-colors:bg-[Highlight]', used > 0 && 'min-w-2', tone)}
            style={{ width: `${share * 100}%` }}
          />
        </div>
      )}
      {hint !== undefined && <p className="mt-1.5 text-13 text-muted">{hint}</p>}
    </div>
  );
}
