import { routes } from '@nolo/api';
import type { ModerationAction } from '@nolo/rules';
import { useState } from 'react';
import { ApiError, call } from '../../api/httpClient.ts';
import { explainServerError } from '../../i18n/explainFailure.ts';
import { showFailure } from '../../ui/failures.ts';
import { useRoomSession } from './roomContext.ts';
import { useTexts } from '../../i18n/texts.ts';
import { meetingTexts } from './meetingTexts.ts';

/**
 * Returns hosts' actions on others. A refusal only shows an error. Does not use `useAction`, because
 * guests load the same room without TanStack Query.
 */
export function useHostActions() {
  const { t, i18n } = useTexts(meetingTexts);
  const session = useRoomSession();
  /** Name of the running action. */
  const [running, setRunning] = useState<string | null>(null);
  const attempt = async (task: () => Promise<unknown>, name = ''): Promise<boolean> => {
    setRunning(name);
    try {
      await task();
      return true;
    } catch (error) {
      const description = error instanceof ApiError ? explainServerError(i18n, error) : '';
      showFailure({ title: t('meeting:people.failed'), ...(description && { description }) });
      return false;
    } finally {
      setRunning(null);
    }
  };
  /** Moderates a person on all their devices, or everyone if `userId` is absent. */
  const moderate = (action: ModerationAction, userId?: string, then?: () => Promise<unknown>): Promise<boolean> => {
    const roomCode = session.store.getState().meeting?.roomCode ?? session.roomCode;
    const body = { action, ...(userId && { userId }) };
    return attempt(async () => {
      await call(routes.moderate, { params: { roomCode }, body });
      await then?.();
    }, userId);
  };
  return { moderate, attempt, running };
}
