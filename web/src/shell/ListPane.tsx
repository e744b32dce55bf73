import type { ReactNode } from 'react';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { classNames } from '../ui/classNames.ts';
import { listWidth } from './paneWidth.ts';
import { useMediaQuery } from './useMediaQuery.ts';
import { optional } from '../ui/parts.tsx';

/* Not before something is asked for. */
const PaneEdge = optional(async () => (await import('./PaneEdge.tsx')).PaneEdge);

interface ListPaneProps {
  /** On phones: another pane is shown in its place. */
  hidden?: boolean;
  children: ReactNode;
}

/** The pane at the start edge: the whole screen on phones, 280 px on tablets, from 1024 px on 320 to 360 px or as wide as one likes. */
export function ListPane({ hidden = false, children }: ListPaneProps) {
  const { t } = useTranslation();
  const resizable = useMediaQuery('(min-width: 1024px)');
  const usual = useMediaQuery('(min-width: 1280px)') ? 360 : 320;
  const width = useStore(listWidth.store, (state) => state.width);
  return (
    <aside
      aria-label={t('shell.sidebar')}
      style={resizable && width !== null ? { width: listWidth.clamped(width) } : undefined}
      className={classNames(
        'relative min-h-0 w-full shrink-0 flex-col md:bg-panel md:flex md:w-70 md:border-e md:border-line lg:w-80 xl:w-90',
        hidden ? 'hidden' : 'flex',
      )}
    >
      {children}
      {resizable && (
        <Suspense>
          <PaneEdge pane={listWidth} name={t('shell.sidebar')} usual={usual} side="end" />
        </Suspense>
      )}
    </aside>
  );
}
