import { ArrowLeft } from 'lucide-react';
import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { classNames } from '../ui/classNames.ts';
import { ListPane } from './ListPane.tsx';
import { ScreenHeader } from './ScreenHeader.tsx';
import { useMediaQuery } from './useMediaQuery.ts';

const columnClasses = 'mx-auto max-w-160 lg:max-w-180';

interface CategoriesFrameProps {
  title: string;
  /** Path and label of the back link. `alwaysShown`: shown even if the list is visible. */
  back?: { to: string; label: string; alwaysShown?: boolean } | undefined;
  actions?: ReactNode;
  /** Undefined if the user may not see it. */
  list: ReactNode | undefined;
  /** True if the open page stands alone in a single column. */
  alone?: boolean;
  /** Key of the open page. A new page starts at its top, while the list beside it keeps its position and focus. */
  page: string | undefined;
  children: ReactNode;
}

/** List of categories beside the open one, or above it in a single column. */
export function CategoriesFrame({ title, back, actions, list, alone = false, page, children }: CategoriesFrameProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const hasTwoColumns = useMediaQuery('(min-width: 1024px)') && list !== undefined;
  useLayoutEffect(() => {
    if (scroller.current !== null) scroller.current.scrollTop = 0;
  }, [page]);
  return (
    <div className="flex min-h-0 flex-1">
      {hasTwoColumns && (
        <ListPane>
          <div className="min-h-0 flex-1 overflow-y-auto px-3 py-4">{list}</div>
        </ListPane>
      )}
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <div className={classNames('flex w-full items-end', columnClasses)}>
          {back !== undefined && (
            <Link
              to={back.to}
              aria-label={back.label}
              className={classNames(
                'tap ms-2 mb-3 -me-2 inline-flex size-10 shrink-0 items-center justify-center rounded-control text-muted hover:bg-hover hover:text-ink',
                back.alwaysShown !== true && 'lg:hidden',
              )}
            >
              <ArrowLeft aria-hidden="true" className="size-5 rtl:-scale-x-100" />
            </Link>
          )}
          <div className="min-w-0 flex-1">
            <ScreenHeader title={title} actions={actions} />
          </div>
        </div>
        <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto px-4 pt-1 pb-8">
          <div className={classNames('flex flex-col gap-4', columnClasses)}>
            {!hasTwoColumns && list !== undefined && <div className={alone ? 'max-lg:hidden' : undefined}>{list}</div>}
            {children}
          </div>
        </div>
      </div>
    </div>
  );
}
