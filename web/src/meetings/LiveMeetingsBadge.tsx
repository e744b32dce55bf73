import { routes } from '@nolo/api';
import { limits } from '@nolo/rules';
import { useQuery } from '@tanstack/react-query';
import { callPage } from '../api/httpClient.ts';
import { CountBadge } from '../ui/Badge.tsx';
import { meetingsQueryKey } from './meetingQueries.ts';
import { useTexts } from '../i18n/texts.ts';
import { meetingsTexts } from './meetingsTexts.ts';

/**
 * Milliseconds between polls. Meetings start and end without notifying people outside, and users who wait for one open
 * the screen.
 */
const refetchIntervalMs = 120_000;

export function LiveMeetingsBadge() {
  const { t } = useTexts(meetingsTexts);
  const { data } = useQuery({
    queryKey: [...meetingsQueryKey, 'liveNow'],
    queryFn: async ({ signal }) =>
      (await callPage(routes.listMeetings, { query: { limit: limits.meetingsPerPage, status: 'live' }, signal })).items
        .length,
    staleTime: 0,
    refetchOnWindowFocus: true,
    refetchInterval: refetchIntervalMs,
  });
  const count = data ?? 0;
  return <CountBadge count={count} label={t('meetings:badge', { count })} className="h-4.5! min-w-4.5! px-1!" />;
}
