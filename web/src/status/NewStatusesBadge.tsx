import { useEffect } from 'react';
import { CountBadge } from '../ui/Badge.tsx';
import { runWhenIdle } from '../ui/scheduler.ts';
import { countAuthorsWithUnviewed } from './model/statusGroups.ts';
import { useStatuses } from './statusQueries.ts';
import { useOpenStatusOutbox } from './useOpenStatusOutbox.ts';
import { useTexts } from '../i18n/texts.ts';
import { statusTexts } from './statusTexts.ts';

/** Number of people with new status updates, at the tab. Also resumes pending ones as soon as the app is open. */
export function NewStatusesBadge() {
  const { t } = useTexts(statusTexts);
  const statuses = useOpenStatusOutbox();
  const { groups } = useStatuses();
  // Runs in a later task than the request for status updates.
  useEffect(() => runWhenIdle(() => void statuses().catch(() => undefined)), [statuses]);
  const count = groups ? countAuthorsWithUnviewed(groups) : 0;
  return <CountBadge count={count} label={t('status:badge', { count })} className="h-4.5! min-w-4.5! px-1!" />;
}
