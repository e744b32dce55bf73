import type { ReactNode } from 'react';
import { classNames } from './classNames.ts';

export interface EmptyStateProps {
  icon?: ReactNode;
  title: ReactNode;
  /** Purpose of this place. */
  description?: ReactNode;
  /** Single next step. */
  action?: ReactNode;
  /** True if the state is the whole page, so that its title is the page's. */
  whole?: boolean;
  className?: string;
}

export function EmptyState({ icon, title, description, action, whole = false, className }: EmptyStateProps) {
  const Title = whole ? 'h1' : 'h2';
  return (
    <div
      className={classNames('flex flex-col items-center justify-center px-6 py-12 text-center text-balance', className)}
    >
      {icon !== undefined && (
        <span
          aria-hidden="true"
          className="mb-4 flex size-14 items-center justify-center rounded-full bg-accent-subtle text-accent-text [&_svg]:size-6"
        >
          {icon}
        </span>
      )}
      <Title className="text-16 font-semibold">{title}</Title>
      {description !== undefined && <p className="mt-1 max-w-80 text-14 text-muted">{description}</p>}
      {action !== undefined && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
