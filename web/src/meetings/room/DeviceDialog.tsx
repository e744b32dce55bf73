import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/Dialog.tsx';
import { DevicePickers } from './DevicePickers.tsx';

/** Devices while one is inside; what is chosen holds at once. */
export function DeviceDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={t('meeting.room.devices')}>
      <DevicePickers />
    </Dialog>
  );
}
