import { Suspense, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { classNames } from '../ui/classNames.ts';
import { listPaneWidthSetting } from './paneWidth.ts';
import { useMediaQuery } from './useMediaQuery.ts';
import { lazyOptional } from '../ui/lazyComponents.tsx';
import { useTexts } from '../i18n/texts.ts';

/* Loads on demand. */
const PaneResizer = lazyOptional(async () => (await import('./PaneResizer.tsx')).PaneResizer);

interface ListPaneProps {
  /** True on phones while another pane replaces it. */
  hidden?: boolean;
  children: ReactNode;
}

/**
 * Pane at the start edge: full screen on phones, 280 px on tablets, and 320 to 360 px or the user's width from 1024 px
 * on.
 */
export function ListPane({ hidden = false, children }: ListPaneProps) {
  const { t } = useTexts();
  const resizable = useMediaQuery('(min-width: 1024px)');
  const defaultWidth = useMediaQuery('(min-width: 1280px)') ? 360 : 320;
  const width = useStore(listPaneWidthSetting.store, (state) => state.width);
  return (
    <aside
      aria-label={t('shell.sidebar')}
      style={resizable && width !== null ? { width: listPaneWidthSetting.clamped(width) } : undefined}
      className={classNames(
        'relative min-h-0 w-full shrink-0 flex-col md:bg-panel md:flex md:w-70 md:border-e md:border-line lg:w-80 xl:w-90',
        hidden ? 'hidden' : 'flex',
      )}
    >
      {children}
      {resizable && (
        <Suspense>
          <PaneResizer pane={listPaneWidthSetting} name={t('shell.sidebar')} defaultWidth={defaultWidth} side="end" />
        </Suspense>
      )}
    </aside>
  );
}
