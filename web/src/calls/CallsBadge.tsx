import type { Call } from '@nolo/api';
import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { useStore } from 'zustand';
import { isMissedCall } from '../chat/words/callWords.ts';
import { useSelf } from '../session/self.ts';
import { CountBadge } from '../ui/Badge.tsx';
import { useCallPages } from './callPages.ts';
import { lastSeenCallTimesStore, storeLastSeenCallTime, readLastSeenCallTime } from './lastSeenCallTimes.ts';
import { useCallTexts } from './useCallTexts.ts';

/** Number of calls missed since the user last viewed the list; calls before the first view are ignored. */
export function CallsBadge() {
  const { t } = useCallTexts();
  const { id } = useSelf();
  const { data } = useCallPages();
  const looking = useLocation().pathname.startsWith('/calls');
  const seen = useStore(lastSeenCallTimesStore, (state) => readLastSeenCallTime(state, id));
  const calls: readonly Call[] | undefined = data?.pages[0]?.items;
  const newest = calls && (calls[0]?.createdAt ?? '');
  useEffect(() => {
    if (newest !== undefined && newest !== seen && (looking || seen === null)) storeLastSeenCallTime(id, newest);
  }, [id, newest, seen, looking]);
  const missed = (call: Call): boolean =>
    call.endReason !== null && isMissedCall({ outcome: call.endReason }, call.callerId === id);
  const fresh = seen === null || looking ? [] : (calls ?? []).filter((call) => call.createdAt > seen && missed(call));
  return (
    <CountBadge
      count={fresh.length}
      label={t('calls.badge', { count: fresh.length })}
      className="h-4.5! min-w-4.5! px-1!"
    />
  );
}
