import type { Meeting } from '@nolo/api';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { InviteLinkDialog } from './InviteLinkDialog.tsx';
import { JoinMeetingDialog } from './JoinMeetingDialog.tsx';
import { MeetingCodeDialog } from './MeetingCodeDialog.tsx';
import type { MeetingDialogOrigin } from './meetingDialogOrigin.ts';
import { MeetingFormDialog } from './MeetingFormDialog.tsx';
import { ShareMeetingDialog } from './ShareMeetingDialog.tsx';
import { useMeetingHostActions } from './useMeetingHostActions.ts';
import { useMeetingsWords } from './useMeetingsWords.ts';

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

interface ConfirmChangeProps {
  kind: 'cancel' | 'end';
  meeting: Meeting;
  onClose: () => void;
}

function ConfirmChange({ kind, meeting, onClose }: ConfirmChangeProps) {
  const { t } = useMeetingsWords();
  const { cancel, end } = useMeetingHostActions();
  const act = async () => {
    if (await (kind === 'cancel' ? cancel : end)(meeting)) onClose();
  };
  const recurring = meeting.type === 'recurring';
  return (
    <ConfirmDialog
      open
      onCancel={onClose}
      title={t(`meetings.${kind}.title`, { name: meeting.name })}
      text={recurring ? t(`meetings.${kind}.textRecurring`) : t(`meetings.${kind}.text`)}
      confirmLabel={t(`meetings.${kind}.confirm`)}
      {...(kind === 'cancel' && { cancelLabel: t('meetings.cancel.keep') })}
      onConfirm={act}
    />
  );
}
