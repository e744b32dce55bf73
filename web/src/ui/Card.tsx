import type { HTMLAttributes, ReactNode } from 'react';
import { classNames } from './classNames.ts';

export interface CardProps extends Omit<HTMLAttributes<HTMLElement>, 'title'> {
  title?: ReactNode;
  description?: ReactNode;
  /** Content at the end of the title's line. */
  action?: ReactNode;
  children?: ReactNode;
}

export function Card({ title, description, action, className, children, ...rest }: CardProps) {
  return (
    <section {...rest} className={classNames('rounded-card border border-line bg-raised p-4 sm:p-5', className)}>
      {(title !== undefined || action !== undefined) && (
        <header className="mb-3 flex items-start justify-between gap-3">
          <div className="min-w-0">
            {title !== undefined && <h2 className="text-16 font-semibold">{title}</h2>}
            {description !== undefined && <p className="mt-0.5 text-13 text-muted">{description}</p>}
          </div>
          {action}
        </header>
      )}
      {children}
    </section>
  );
}
