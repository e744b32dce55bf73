import type { RouteBodyInput, Meeting } from '@nolo/api';
import { routes } from '@nolo/api';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../api/httpClient.ts';
import { request } from '../api/request.ts';
import { saveFile } from '../device/saveFile.ts';
import { showFailure } from '../ui/failures.ts';
import { toast } from '../ui/toasts.ts';
import { useExplainFailure } from '../i18n/useExplainFailure.ts';
import { meetingsQueryKey } from './meetingQueries.ts';
import { useMeetingsWords } from './useMeetingsWords.ts';

const params = ({ roomCode }: Meeting) => ({ params: { roomCode } });

/** Returns the host's actions on a meeting. They report their failures and then return undefined. */
export function useMeetingHostActions() {
  const { t } = useMeetingsWords();
  const words = useExplainFailure();
  const queryClient = useQueryClient();
  const refresh = () => void queryClient.invalidateQueries({ queryKey: meetingsQueryKey });

  const attempt = async <T>(task: () => Promise<T>, failed: string, done?: (result: T) => string) => {
    try {
      const result = await task();
      refresh();
      if (done) toast({ kind: 'success', title: done(result) });
      return { result };
    } catch (error) {
      showFailure({ title: failed, description: words(error) });
      return undefined;
    }
  };

  return {
    refresh,
    create: (body: RouteBodyInput<typeof routes.createMeeting>) => call(routes.createMeeting, { body }),
    update: (meeting: Meeting, body: RouteBodyInput<typeof routes.updateMeeting>) =>
      call(routes.updateMeeting, { ...params(meeting), body }),
    cancel: (meeting: Meeting) =>
      attempt(
        () => call(routes.cancelMeeting, params(meeting)),
        t('meetings.cancel.failed'),
        () => t('meetings.cancel.done'),
      ),
    end: (meeting: Meeting) =>
      attempt(
        () => call(routes.endMeeting, params(meeting)),
        t('meetings.end.failed'),
        () => t('meetings.end.done'),
      ),
    /** Creates a new code, valid until `expiresAt` or without limit. */
    rotate: (meeting: Meeting, expiresAt: string | undefined) =>
      attempt(
        () => call(routes.rotateRoomCode, { ...params(meeting), body: expiresAt === undefined ? {} : { expiresAt } }),
        t('roomCode.failed'),
        ({ roomCode }) => t('roomCode.rotated', { code: roomCode }),
      ),
    expireCode: (meeting: Meeting) =>
      attempt(
        () => call(routes.expireRoomCode, params(meeting)),
        t('roomCode.failed'),
        () => t('roomCode.expired'),
      ),
    createInvite: (meeting: Meeting) =>
      attempt(() => call(routes.createInvite, params(meeting)), t('meetings.invite.createFailed')),
    revokeInvite: (meeting: Meeting) =>
      attempt(
        () => call(routes.revokeInvite, params(meeting)),
        t('meetings.invite.revokeFailed'),
        () => t('meetings.invite.revoked'),
      ),
    addToCalendar: ({ roomCode }: Meeting) =>
      attempt(async () => {
        const reply = await request(`/api/meetings/${encodeURIComponent(roomCode)}/calendar`, { method: 'GET' });
        saveFile(await reply.blob(), `meeting-${roomCode}.ics`);
      }, t('meetings.calendarFailed')),
  };
}
