import { routes } from '@nolo/api';
import type { ModerationAction } from '@nolo/rules';
import { useTranslation } from 'react-i18next';
import { ApiError, call } from '../../api/httpClient.ts';
import { explainServerError } from '../../i18n/explainFailure.ts';
import { showFailure } from '../../ui/failures.ts';
import { useRoomSession } from './roomContext.ts';

/** Returns hosts' actions on others. A refusal only shows an error. */
export function useHostActions() {
  const { t, i18n } = useTranslation();
  const session = useRoomSession();
  const attempt = async (task: () => Promise<unknown>): Promise<boolean> => {
    try {
      await task();
      return true;
    } catch (error) {
      const description = error instanceof ApiError ? explainServerError(i18n, error) : '';
      showFailure({ title: t('meeting.people.failed'), ...(description && { description }) });
      return false;
    }
  };
  /** Moderates a person on all their devices, or everyone if `userId` is absent. */
  const moderate = (action: ModerationAction, userId?: string): Promise<boolean> => {
    const roomCode = session.store.getState().meeting?.roomCode ?? session.roomCode;
    return attempt(() => call(routes.moderate, { params: { roomCode }, body: { action, ...(userId && { userId }) } }));
  };
  return { moderate, attempt };
}
