import { classNames } from './classNames.ts';

/** Placeholder block. The classes set the size of the future content. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={classNames('block animate-pulse rounded-control bg-hover', className)} />;
}

/** Placeholder rows for a list of people or conversations. */
export function SkeletonRows({ rows = 3, label }: { rows?: number; label: string }) {
  return (
    <div role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="flex h-(--nolo-row) items-center gap-3 px-4">
          <Skeleton className="nolo-row-picture size-12 shrink-0 rounded-full" />
          <span className="flex-1">
            <Skeleton className={classNames('h-3.5', row % 2 === 0 ? 'w-2/5' : 'w-1/3')} />
            <Skeleton className={classNames('mt-2.5 h-3', row % 3 === 0 ? 'w-4/5' : 'w-3/5')} />
          </span>
          <Skeleton className="h-3 w-9 self-start mt-5.5" />
        </div>
      ))}
    </div>
  );
}
