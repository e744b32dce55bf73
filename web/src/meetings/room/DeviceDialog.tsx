import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/Dialog.tsx';
import { DevicePickers } from './DevicePickers.tsx';

/** Device settings inside a meeting. Choices apply immediately. */
export function DeviceDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={t('meeting.room.devices')}>
      <DevicePickers />
    </Dialog>
  );
}
