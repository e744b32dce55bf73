import type { Call } from '@nolo/api';
import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { useStore } from 'zustand';
import { isMissed } from '../chat/words/callWords.ts';
import { useSelf } from '../session/self.ts';
import { CountBadge } from '../ui/Badge.tsx';
import { useCallPages } from './callPages.ts';
import { callsSeenStore, storeSeenCalls, readSeenCalls } from './callsSeen.ts';
import { useCallTexts } from './useCallTexts.ts';

/** Number of calls missed since the user last viewed the list; calls before the first view are ignored. */
export function CallsBadge() {
  const { t } = useCallTexts();
  const { id } = useSelf();
  const { data } = useCallPages();
  const looking = useLocation().pathname.startsWith('/calls');
  const seen = useStore(callsSeenStore, (state) => readSeenCalls(state, id));
  const calls: readonly Call[] | undefined = data?.pages[0]?.items;
  const newest = calls && (calls[0]?.createdAt ?? '');
  useEffect(() => {
    if (newest !== undefined && newest !== seen && (looking || seen === null)) storeSeenCalls(id, newest);
  }, [id, newest, seen, looking]);
  const missed = (call: Call): boolean =>
    call.endReason !== null && isMissed({ outcome: call.endReason }, call.callerId === id);
  const fresh = seen === null || looking ? [] : (calls ?? []).filter((call) => call.createdAt > seen && missed(call));
  return (
    <CountBadge
      count={fresh.length}
      label={t('calls.badge', { count: fresh.length })}
      className="h-4.5! min-w-4.5! px-1!"
    />
  );
}
