import type { ReactNode } from 'react';
import { startTransition, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../ui/classNames.ts';
import { useOverlay } from '../ui/useOverlay.ts';
import { ListPane } from './ListPane.tsx';
import { useMediaQuery } from './useMediaQuery.ts';
import { asked } from '../ui/parts.tsx';

/* Only where there is no room for a third pane, and only once it is asked for. */
const Sheet = asked(
  async () => (await import('../ui/Sheet.tsx')).Sheet,
  ({ onOpenChange }) => onOpenChange(false),
);

/* Not before something is asked for. */
const DetailsPane = asked(async () => (await import('./DetailsPane.tsx')).DetailsPane);

/** How long the content has the machine to itself before a list that is hidden behind it is drawn. */
const listAfterMs = 1_000;

/** Whether to draw the list: where the app opens with it hidden, not before what can be seen is there. */
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
  /** The sidebar: the whole screen on phones, 280 px on tablets, from 1024 px on 320 to 360 px or as wide as one likes. */
  list: ReactNode;
  /** What is open beside it. */
  content: ReactNode;
  /** On phones: show the content instead of the list. */
  contentOpen: boolean;
  /** The pane that slides in at the end edge: beside the content from 1280 px on, over it below. */
  details?: { title: ReactNode; content: ReactNode; open: boolean; onOpenChange: (open: boolean) => void };
}

/** List, content and details in as many columns as the screen has room for. */
export function Panes({ list, content, contentOpen, details }: PanesProps) {
  const { t } = useTranslation();
  const roomy = useMediaQuery('(min-width: 1280px)');
  const single = !useMediaQuery('(min-width: 768px)');
  const listDrawn = useListDrawn(single && contentOpen);
  useOverlay(roomy && details?.open === true, () => details?.onOpenChange(false));
  // What is opened from the list comes from its side; what the app opens with stands there.
  const [listSeen, setListSeen] = useState(!contentOpen);
  if (!contentOpen && !listSeen) setListSeen(true);
  // From then on it stays, so that it can also leave in its own time.
  const [sheetAsked, setSheetAsked] = useState(false);
  if (details?.open && !roomy && !sheetAsked) setSheetAsked(true);
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
      {details !== undefined && !roomy && sheetAsked && (
        <Suspense>
          <Sheet open={details.open} onOpenChange={details.onOpenChange} title={details.title}>
            {details.content}
          </Sheet>
        </Suspense>
      )}
    </div>
  );
}
