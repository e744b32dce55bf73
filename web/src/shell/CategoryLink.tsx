import type { LucideIcon } from 'lucide-react';
import { Link } from 'react-router-dom';
import { classNames } from '../ui/classNames.ts';

interface CategoryLinkProps {
  to: string;
  Icon: LucideIcon;
  title: string;
  current: boolean;
  className?: string;
}

export function CategoryLink({ to, Icon, title, current, className }: CategoryLinkProps) {
  return (
    <li className={className}>
      <Link
        to={to}
        aria-current={current ? 'page' : undefined}
        className={classNames(
          'flex min-h-10 items-center gap-3 rounded-control px-3 py-1.5 text-14 pointer-coarse:min-h-11',
          current ? 'bg-accent-subtle font-medium text-accent-text' : 'text-muted hover:bg-hover hover:text-ink',
        )}
      >
        <Icon aria-hidden="true" className="size-[18px] shrink-0" />
        <span className="min-w-0 wrap-anywhere">{title}</span>
      </Link>
    </li>
  );
}
