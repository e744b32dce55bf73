import { CircleAlert } from 'lucide-react';
import { classNames } from './classNames.ts';
import type { ShownFailure } from './failures.ts';

/** Failure of a form or dialog, above its buttons. */
export function FailureAlert({ failure, className }: { failure: ShownFailure; className?: string }) {
  return (
    <div
      role="alert"
      className={classNames(
        'flex items-start gap-2 rounded-control bg-danger-subtle px-3 py-2 text-start text-13 text-danger-text',
        className,
      )}
    >
      <CircleAlert aria-hidden="true" className="mt-px size-4 shrink-0" />
      <div className="min-w-0 flex-1 wrap-anywhere">
        <p className="font-semibold">{failure.title}</p>
        {failure.description && <p>{failure.description}</p>}
      </div>
    </div>
  );
}
