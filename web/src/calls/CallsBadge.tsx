import type { Call } from '@nolo/api';
import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { isMissedCall } from '../chat/words/callWords.ts';
import { useSelf } from '../session/self.ts';
import { CountBadge } from '../ui/Badge.tsx';
import { callsSeenKey } from '../session/ownKeys.ts';
import { useCallPages } from './callPages.ts';
import { useTexts } from '../i18n/texts.ts';
import { callsTexts } from './callsTexts.ts';

/** Reads the value stored with its owner, because another user may sign in on this device. */
function read(userId: string): string | null {
  try {
    const kept = JSON.parse(localStorage.getItem(callsSeenKey) ?? 'null') as { owner?: unknown; at?: unknown } | null;
    return kept?.owner === userId && typeof kept.at === 'string' ? kept.at : null;
  } catch {
    // The browser may store nothing at all.
    return null;
  }
}

/** Time of the newest call that the user has seen in the list, by account; loaded on demand. */
const lastSeenCallTimesStore = createStore<Readonly<Record<string, string>>>(() => ({}));

/** Returns null if the account has never viewed its calls on this device. */
const readLastSeenCallTime = (state: Readonly<Record<string, string>>, userId: string): string | null =>
  state[userId] ?? read(userId);

function storeLastSeenCallTime(userId: string, newest: string): void {
  // Calls seen in another tab may be later.
  const known = read(userId);
  const at = known !== null && known > newest ? known : newest;
  lastSeenCallTimesStore.setState({ [userId]: at });
  try {
    localStorage.setItem(callsSeenKey, JSON.stringify({ owner: userId, at }));
  } catch {
    // The value then lasts until the next page load.
  }
}

/** Number of calls missed since the user last viewed the list; calls before the first view are ignored. */
export function CallsBadge() {
  const { t } = useTexts(callsTexts);
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
      label={t('calls:badge', { count: fresh.length })}
      className="h-4.5! min-w-4.5! px-1!"
    />
  );
}
