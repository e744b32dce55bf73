import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { useRoomSession } from './roomContext.ts';

/** What it means to record, before it begins. */
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
        // The browser asks for a place for the file while the press is fresh.
        const begun = recording.start();
        onClose();
        await begun;
      }}
    />
  );
}
