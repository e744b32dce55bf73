import { useEffect } from 'react';
import { CountBadge } from '../ui/Badge.tsx';
import { whenIdle } from '../ui/turns.ts';
import { countUnviewed } from './model/statusGroups.ts';
import { useStatuses } from './statusQueries.ts';
import { useStatusWords } from './useStatusWords.ts';
import { useStatusOutbox } from './useStatusOutbox.ts';

/** How many people have something new, at the tab; and what waits to be posted goes on as soon as the app is open. */
export function StatusBadge() {
  const { t } = useStatusWords();
  const statuses = useStatusOutbox();
  const { groups } = useStatuses();
  // In another turn than the question what there is.
  useEffect(() => whenIdle(() => void statuses().catch(() => undefined)), [statuses]);
  const count = groups ? countUnviewed(groups) : 0;
  return <CountBadge count={count} label={t('status.badge', { count })} className="h-4.5! min-w-4.5! px-1!" />;
}
