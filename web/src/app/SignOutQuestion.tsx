import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useChat, useChatState } from '../chat/context/chatContext.ts';
import { isLastWithKeys, keysStore } from '../keys/model/keysStore.ts';
import { signOut } from '../session/endSession.ts';
import { signOutRequestStore } from '../session/useRequestSignOut.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { showFailure } from '../ui/failures.ts';
import { useTexts } from '../i18n/texts.ts';
import { signOutTexts } from './signOutTexts.ts';

/** Counts the unsent messages and status updates on this device, from all tabs. */
function useUnsentCount(): number {
  const { database } = useChat();
  const [kept, setKept] = useState({ messages: [] as readonly string[], statuses: 0 });
  useEffect(() => {
    let left = false;
    const read = async (): Promise<void> => {
      const [messages, statuses] = await Promise.all([database.listUnsent(), database.listUnsentStatuses()]);
      const ids = messages.map(({ clientMessageId }) => clientMessageId);
      if (!left) setKept({ messages: ids, statuses: statuses.length });
    };
    // A storage that does not answer contains nothing that could be lost.
    read().catch(() => undefined);
    return () => {
      left = true;
    };
  }, [database]);
  const timelines = useChatState((state) => state.timelines);
  const shown = Object.values(timelines).flatMap(({ pending }) => pending.map((one) => one.clientMessageId));
  return new Set([...kept.messages, ...shown]).size + kept.statuses;
}

/** Asks before signing out, and explains what that removes from the device (decision 2). */
export function SignOutQuestion() {
  const { t } = useTexts(signOutTexts);
  const requestedBy = useStore(signOutRequestStore, (state) => state.requestedBy);
  const { drafts } = useChat();
  const draftCount = useStore(drafts, (state) => Object.keys(state.drafts).length);
  const unsentCount = useUnsentCount();
  const losesKeys = useStore(keysStore, ({ state }) => state !== null && isLastWithKeys(state));
  const close = (): void => signOutRequestStore.setState({ requestedBy: null });
  return (
    <ConfirmDialog
      open={requestedBy !== null}
      danger={unsentCount + draftCount > 0}
      onCancel={close}
      title={t('signOut:title')}
      text={[
        ...(requestedBy === 'link' ? [t('signOut:fromLink')] : []),
        t('signOut:text'),
        ...(losesKeys ? [t('signOut:lastKeys')] : []),
        ...(unsentCount > 0 ? [t('signOut:unsent', { count: unsentCount })] : []),
        ...(draftCount > 0 ? [t('signOut:drafts', { count: draftCount })] : []),
      ].join(' ')}
      confirmLabel={t('signOut:confirm')}
      onConfirm={async () => {
        if (navigator.onLine) await signOut();
        else showFailure({ title: t('shell.signOutOffline') });
      }}
    />
  );
}
