import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useWakeLock } from '../../shell/useWakeLock.ts';
import { useRoomState, useRoomClient } from './roomContext.ts';
import { useMeetingDocumentTitle } from './useMeetingDocumentTitle.ts';

interface NetworkInformation extends EventTarget {
  type?: string;
}

/** Connects a room to its page: title, network changes, and visibility. */
export function useRoomPageEffects(): void {
  const { t } = useTranslation();
  const client = useRoomClient();
  useMeetingDocumentTitle(useRoomState((state) => state.meeting?.name) ?? t('meeting.title'));
  useEffect(() => {
    const changed = () => client.networkChanged();
    const connection = (navigator as { connection?: NetworkInformation }).connection;
    addEventListener('online', changed);
    connection?.addEventListener('change', changed);
    return () => {
      removeEventListener('online', changed);
      connection?.removeEventListener('change', changed);
    };
  }, [client]);
  useEffect(() => {
    // A video in its own window is visible even if the page is not.
    const updateVisibility = () =>
      client.view.setHidden(document.visibilityState === 'hidden' && !document.pictureInPictureElement);
    document.addEventListener('visibilitychange', updateVisibility);
    return () => document.removeEventListener('visibilitychange', updateVisibility);
  }, [client]);
  useWakeLock();
}
