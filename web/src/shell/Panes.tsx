import { startTransition, Suspense, useEffect, useState, type ReactNode } from 'react';
import { classNames } from '../ui/classNames.ts';
import { useCloseOverlayOnBack } from '../ui/useCloseOverlayOnBack.ts';
import { ListPane } from './ListPane.tsx';
import { useMediaQuery } from './useMediaQuery.ts';
import { lazyOverlay } from '../ui/lazyComponents.tsx';
import { useTexts } from '../i18n/texts.ts';

/* Loads on demand, if a third pane does not fit. */
const Sheet = lazyOverlay(
  async () => (await import('../ui/ModalSidePane.tsx')).ModalSidePane,
  ({ onOpenChange }) => onOpenChange(false),
);

/* Loads on demand. */
const DetailsPane = lazyOverlay(async () => (await import('./DetailsPane.tsx')).DetailsPane);

/** Milliseconds that the content has to itself before a list hidden behind it renders. */
const listAfterMs = 1_000;

/** Returns true if the list should render. If the app opens with the list hidden, the visible content comes first. */
function useListDrawn(hidden: boolean): boolean {
  const [drawn, setDrawn] = useState(!hidden);
  if (!hidden && !drawn) setDrawn(true);
  useEffect(() => {
    if (drawn) return;
    const timer = setTimeout(() => startTransition(() => setDrawn(true)), listAfterMs);
    return () => clearTimeout(timer);
  }, [drawn]);
  return drawn;
}

export interface PanesProps {
  /** Sidebar: full screen on phones, 280 px on tablets, and 320 to 360 px or the user's width from 1024 px on. */
  list: ReactNode;
  content: ReactNode;
  /** True to show the content instead of the list on phones. */
  contentOpen: boolean;
  /** Pane that slides in at the end edge: beside the content from 1280 px on, over it below that. */
  details?: { title: ReactNode; content: ReactNode; open: boolean; onOpenChange: (open: boolean) => void };
}

/** Shows list, content, and details in as many columns as fit. */
export function Panes({ list, content, contentOpen, details }: PanesProps) {
  const { t } = useTexts();
  const roomy = useMediaQuery('(min-width: 1280px)');
  const single = !useMediaQuery('(min-width: 768px)');
  const listDrawn = useListDrawn(single && contentOpen);
  useCloseOverlayOnBack(roomy && details?.open === true, () => details?.onOpenChange(false));
  // Content opened from the list slides in from its side. Initial content does not.
  const [listSeen, setListSeen] = useState(!contentOpen);
  if (!contentOpen && !listSeen) setListSeen(true);
  // The sheet stays mounted from then on, so that it can animate out.
  const [hasOpenedSheet, setHasOpenedSheet] = useState(false);
  if (details?.open && !roomy && !hasOpenedSheet) setHasOpenedSheet(true);
  return (
    <div className="flex min-h-0 flex-1">
      <ListPane hidden={contentOpen}>{listDrawn && list}</ListPane>
      <section
        aria-label={t('shell.main')}
        className={classNames(
          'min-h-0 min-w-0 flex-1 flex-col md:flex',
          contentOpen ? 'flex' : 'hidden',
          listSeen && 'max-md:animate-push-in',
        )}
      >
        {content}
      </section>
      {details !== undefined && roomy && details.open && (
        <Suspense>
          <DetailsPane title={details.title} content={details.content} onClose={() => details.onOpenChange(false)} />
        </Suspense>
      )}
      {details !== undefined && !roomy && hasOpenedSheet && (
        <Suspense>
          <Sheet open={details.open} onOpenChange={details.onOpenChange} title={details.title}>
            {details.content}
          </Sheet>
        </Suspense>
      )}
    </div>
  );
}
