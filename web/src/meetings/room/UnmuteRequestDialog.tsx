import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useRoomSession } from './roomContext.ts';

/** A host's request to unmute. People can only unmute themselves. */
export function UnmuteRequestDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const session = useRoomSession();
  return (
    <Dialog
      open={open}
      role="alert"
      size="small"
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={t('meeting.asked.unmuteTitle')}
      description={t('meeting.asked.unmuteText')}
      footer={
        <>
          <Button kind="secondary" onClick={onClose}>
            {t('meeting.asked.stayMuted')}
          </Button>
          <Button
            onClick={() => {
              void session.client?.set('microphone', true);
              onClose();
            }}
          >
            {t('meeting.room.microphoneOn')}
          </Button>
        </>
      }
    />
  );
}
