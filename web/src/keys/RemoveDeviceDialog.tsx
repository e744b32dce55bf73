import type { KeyDevice } from '@nolo/client/keys/types';
import { useState } from 'react';
import { queryKeys } from '../api/queries.ts';
import { useTexts } from '../i18n/texts.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { toast } from '../ui/toasts.ts';
import { keysTexts } from './keysTexts.ts';
import { useKeyDeviceName } from './useKeyDeviceName.ts';
import { useKeysAction } from './useKeys.ts';

interface RemoveDeviceDialogProps {
  device: KeyDevice;
  /** All devices of the account, to name those that leave with it. */
  devices: readonly KeyDevice[];
  onClose: () => void;
}

/** Removes a device from the account's list, which ends its session. Devices that it added leave too, unless kept. */
export function RemoveDeviceDialog({ device, devices, onClose }: RemoveDeviceDialogProps) {
  const { t } = useTexts(keysTexts);
  const nameOf = useKeyDeviceName();
  const [kept, setKept] = useState<readonly string[]>([]);
  const descendants = devices.filter(({ id }) => device.descendants.includes(id));
  const remove = useKeysAction((keys) => keys.removeDevices([device.id], kept), {
    invalidates: [queryKeys.sessions],
    failure: t('keys:removeDevice.failed'),
    onDone: () => {
      toast({ kind: 'success', title: t('keys:removeDevice.done') });
      onClose();
    },
  });
  return (
    <Dialog
      open
      role="alert"
      size="small"
      onOpenChange={(open) => open || remove.busy || onClose()}
      title={t('keys:removeDevice.title', { device: nameOf(device.name) })}
      description={t('keys:removeDevice.text')}
      footer={
        <>
          <Button kind="secondary" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button kind="danger" busy={remove.busy} onClick={() => void remove.run()}>
            {t('keys:removeDevice.confirm')}
          </Button>
        </>
      }
    >
      {descendants.length === 0 ? undefined : (
        <fieldset>
          <legend className="text-14">{t('keys:removeDevice.more', { count: descendants.length })}</legend>
          {descendants.map(({ id, name }) => (
            <label key={id} className="flex min-h-11 cursor-pointer items-center gap-3 text-14">
              <input
                type="checkbox"
                className="size-4.5 shrink-0 accent-accent"
                checked={kept.includes(id)}
                onChange={(event) => setKept(event.target.checked ? [...kept, id] : kept.filter((one) => one !== id))}
              />
              {t('keys:removeDevice.keep', { device: nameOf(name) })}
            </label>
          ))}
        </fieldset>
      )}
    </Dialog>
  );
}
