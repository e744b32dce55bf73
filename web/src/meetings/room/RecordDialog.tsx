import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { useRoomSession } from './roomContext.ts';

/** Explains what recording means before it starts. */
export function RecordDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const { recording } = useRoomSession();
  return (
    <ConfirmDialog
      open={open}
      danger={false}
      onCancel={onClose}
      title={t('meeting.recording.startTitle')}
      text={t('meeting.recording.startText')}
      confirmLabel={t('meeting.recording.startNow')}
      onConfirm={async () => {
        // The browser requires a recent press to ask for the file's destination.
        const begun = recording.start();
        onClose();
        await begun;
      }}
    />
  );
}
