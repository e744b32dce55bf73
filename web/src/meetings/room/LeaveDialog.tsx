import { routes, type Participant } from '@nolo/api';
import { findNextMeetingHost } from '@nolo/rules';
import { useShallow } from 'zustand/react/shallow';
import { isHosting, othersInside } from '@nolo/client/rooms/roomState';
import { call } from '../../api/httpClient.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useRoomState, useRoomSession } from './roomContext.ts';
import { useHostActions } from './useHostActions.ts';
import { useTexts } from '../../i18n/texts.ts';
import { meetingTexts } from './meetingTexts.ts';

/** Asks before leaving. A host also decides what happens to the meeting. */
export function LeaveDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTexts(meetingTexts);
  const session = useRoomSession();
  const { attempt, running } = useHostActions();
  const roomCode = useRoomState((state) => state.meeting?.roomCode) ?? session.roomCode;
  const others = useParticipantsLeftBehind();
  if (others.length === 0) {
    return (
      <ConfirmDialog
        open={open}
        onCancel={onClose}
        title={t('meeting:room.leaveTitle')}
        text={t('meeting:room.leaveText')}
        confirmLabel={t('meeting:room.leave')}
        onConfirm={() => {
          session.leave();
          return Promise.resolve();
        }}
      />
    );
  }
  const name = findNextMeetingHost(others)?.name;
  return (
    <Dialog
      open={open}
      role="alert"
      size="small"
      onOpenChange={(next) => next || (running === null && onClose())}
      title={t('meeting:room.leaveOrEndTitle')}
      description={name === undefined ? t('meeting:room.leaveToGuests') : t('meeting:room.leaveToHost', { name })}
      footer={
        <>
          <Button kind="secondary" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button kind="secondary" disabled={running !== null} onClick={() => session.leave(others)}>
            {t('meeting:room.leave')}
          </Button>
          <Button
            kind="danger"
            busy={running !== null}
            onClick={() => void attempt(() => call(routes.endMeeting, { params: { roomCode } }))}
          >
            {t('meeting:room.endForAll')}
          </Button>
        </>
      }
    />
  );
}

/**
 * Returns the participants whom the user, as a host, would leave behind and must decide about. Empty for everyone else.
 */
export function useParticipantsLeftBehind(): readonly Participant[] {
  return useRoomState(
    useShallow((state) =>
      state.meeting && isHosting(state.participants[state.selfId ?? '']) ? othersInside(state) : [],
    ),
  );
}
