import type { Meeting } from '@nolo/api';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { InviteLinkDialog } from './InviteLinkDialog.tsx';
import { JoinMeetingDialog } from './JoinMeetingDialog.tsx';
import type { MeetingEntry } from './meetingEntry.ts';
import { MeetingFormDialog } from './MeetingFormDialog.tsx';
import { ShareMeetingDialog } from './ShareMeetingDialog.tsx';
import { useMeetingChanges } from './useMeetingChanges.ts';
import { useMeetingsWords } from './useMeetingsWords.ts';

export type MeetingDialog =
  { kind: 'create' | 'join' } | { kind: 'edit' | 'share' | 'invite' | 'cancel' | 'end' | 'rotate'; meeting: Meeting };

export interface MeetingDialogsProps {
  entry: MeetingEntry;
  dialog: MeetingDialog | null;
  /** Null closes; a planned meeting goes on to its share dialog. */
  onChange: (dialog: MeetingDialog | null) => void;
}

/** The dialogs about meetings, of which one is open. */
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
    case 'cancel':
    case 'end':
    case 'rotate':
      return (
        <ConfirmChange
          kind={dialog.kind}
          meeting={dialog.meeting}
          onClose={close}
          onRotated={(meeting) => onChange({ kind: 'share', meeting })}
        />
      );
  }
}

interface ConfirmChangeProps {
  kind: 'cancel' | 'end' | 'rotate';
  meeting: Meeting;
  onClose: () => void;
  /** The new code wants to be given away. */
  onRotated: (meeting: Meeting) => void;
}

function ConfirmChange({ kind, meeting, onClose, onRotated }: ConfirmChangeProps) {
  const { t } = useMeetingsWords();
  const { cancel, end, rotate } = useMeetingChanges();
  const act = async () => {
    if (kind === 'rotate') {
      const rotated = await rotate(meeting);
      if (rotated) onRotated(rotated.result);
    } else if (await (kind === 'cancel' ? cancel : end)(meeting)) onClose();
  };
  const recurring = kind !== 'rotate' && meeting.type === 'recurring';
  return (
    <ConfirmDialog
      open
      danger={kind !== 'rotate'}
      onCancel={onClose}
      title={t(`meetings.${kind}.title`, { name: meeting.name })}
      text={recurring ? t(`meetings.${kind}.textRecurring`) : t(`meetings.${kind}.text`)}
      confirmLabel={t(`meetings.${kind}.confirm`)}
      {...(kind === 'cancel' && { cancelLabel: t('meetings.cancel.keep') })}
      onConfirm={act}
    />
  );
}
