import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router-dom';
import { classNames } from '../ui/classNames.ts';

/** Back arrow in a header, for example to a list that is covered on phones. */
export function BackLink({ to, label, className }: { to: string; label: string; className?: string }) {
  return (
    <Link
      to={to}
      aria-label={label}
      className={classNames(
        'tap inline-flex size-10 shrink-0 items-center justify-center rounded-control text-muted hover:bg-hover hover:text-ink',
        className,
      )}
    >
      <ArrowLeft aria-hidden="true" className="size-5 rtl:-scale-x-100" />
    </Link>
  );
}
