import { routes, type Meeting } from '@nolo/api';
import { useState } from 'react';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { ShareDialog } from '../share/ShareDialog.tsx';
import { useShareActions } from '../shell/useShareActions.ts';
import { RoomCodeDialog } from '../ui/RoomCodeDialog.tsx';
import { InviteLinkDialog } from './InviteLinkDialog.tsx';
import { JoinMeetingDialog } from './JoinMeetingDialog.tsx';
import type { MeetingDialogOrigin } from './meetingDialogOrigin.ts';
import { MeetingFormDialog } from './MeetingFormDialog.tsx';
import { toast } from '../ui/toasts.ts';
import { useAction } from '../ui/useAction.ts';
import { meetingsQueryKey } from './meetingQueries.ts';
import { useMeetingsWords } from './useMeetingsWords.ts';
import { toSharedMeeting } from './toSharedMeeting.ts';
import { useHasRoomCodeExpired } from './useHasRoomCodeExpired.ts';

/** Room code of a meeting, for its hosts. */
function MeetingCodeDialog({ meeting, onClose }: { meeting: Meeting; onClose: () => void }) {
  const { t } = useMeetingsWords();
  const { copy } = useShareActions();
  const [current, setCurrent] = useState(meeting);
  const { roomCode, codeExpiresAt } = current;
  const ended = useHasRoomCodeExpired(codeExpiresAt);
  const params = { roomCode };
  const options = (done: (meeting: Meeting) => string) => ({
    failure: t('roomCode.failed'),
    invalidates: [meetingsQueryKey],
    onDone: (changed: Meeting) => {
      toast({ kind: 'success', title: done(changed) });
      setCurrent(changed);
    },
  });
  const rotate = useAction(
    routes.rotateRoomCode,
    options((changed) => t('roomCode.rotated', { code: changed.roomCode })),
  );
  const expire = useAction(
    routes.expireRoomCode,
    options(() => t('roomCode.expired')),
  );
  return (
    <RoomCodeDialog
      words={{
        title: t('meetings.code.title'),
        text: t('meetings.code.text'),
        none: t('meetings.code.none'),
        rotateText: t('meetings.code.rotateText'),
        expireText: t('meetings.code.expireText'),
      }}
      code={ended ? null : roomCode}
      expiresAt={codeExpiresAt}
      onCopy={(code) => void copy(code, t('roomCode.codeCopied'))}
      onRotate={(expiresAt) => rotate.run({ params, body: expiresAt === null ? {} : { expiresAt } })}
      onExpire={() => expire.run({ params })}
      onClose={onClose}
    />
  );
}

/** Link and code of a meeting for sharing. */
function ShareMeetingDialog({ meeting, onClose }: { meeting: Meeting; onClose: () => void }) {
  const { t } = useMeetingsWords();
  return (
    <ShareDialog
      title={t('meetings.share.title')}
      description={t('meetings.share.text')}
      shared={toSharedMeeting(meeting, t)}
      done={{ label: t('roomCode.done'), onSelect: onClose }}
      onClose={onClose}
    />
  );
}

export type MeetingDialogRequest =
  { kind: 'create' | 'join' } | { kind: 'edit' | 'share' | 'invite' | 'code' | 'cancel' | 'end'; meeting: Meeting };

export interface MeetingDialogsProps {
  entry: MeetingDialogOrigin;
  dialog: MeetingDialogRequest | null;
  /** Null closes the dialog. A planned meeting leads to its share dialog. */
  onChange: (dialog: MeetingDialogRequest | null) => void;
}

/** Dialogs for meetings. One is open at a time. */
export function MeetingDialogs({ entry, dialog, onChange }: MeetingDialogsProps) {
  useMeetingsWords();
  const close = () => onChange(null);
  switch (dialog?.kind) {
    case undefined:
      return null;
    case 'join':
      return <JoinMeetingDialog entry={entry} onClose={close} />;
    case 'create':
    case 'edit':
      return (
        <MeetingFormDialog
          entry={entry}
          {...('meeting' in dialog && { meeting: dialog.meeting })}
          onClose={close}
          onPlanned={(meeting) => onChange({ kind: 'share', meeting })}
        />
      );
    case 'share':
      return <ShareMeetingDialog meeting={dialog.meeting} onClose={close} />;
    case 'invite':
      return <InviteLinkDialog meeting={dialog.meeting} onClose={close} />;
    case 'code':
      return <MeetingCodeDialog meeting={dialog.meeting} onClose={close} />;
    case 'cancel':
    case 'end':
      return <ConfirmChange kind={dialog.kind} meeting={dialog.meeting} onClose={close} />;
  }
}

function ConfirmChange({ kind, meeting, onClose }: { kind: 'cancel' | 'end'; meeting: Meeting; onClose: () => void }) {
  const { t } = useMeetingsWords();
  const change = useAction(kind === 'cancel' ? routes.cancelMeeting : routes.endMeeting, {
    failure: t(`meetings.${kind}.failed`),
    invalidates: [meetingsQueryKey],
    onDone: () => {
      toast({ kind: 'success', title: t(`meetings.${kind}.done`) });
      onClose();
    },
  });
  const recurring = meeting.type === 'recurring';
  return (
    <ConfirmDialog
      open
      onCancel={onClose}
      title={t(`meetings.${kind}.title`, { name: meeting.name })}
      text={recurring ? t(`meetings.${kind}.textRecurring`) : t(`meetings.${kind}.text`)}
      confirmLabel={t(`meetings.${kind}.confirm`)}
      {...(kind === 'cancel' && { cancelLabel: t('meetings.cancel.keep') })}
      onConfirm={() => change.run({ params: { roomCode: meeting.roomCode } })}
    />
  );
}
