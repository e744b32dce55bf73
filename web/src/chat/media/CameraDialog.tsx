import { useCallback, useEffect, useRef, useState } from 'react';
import { readChosenDevice } from '../../device/deviceChoice.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogClose } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { mediaTexts } from './mediaTexts.ts';

export function CameraDialog({ onPicture, onClose }: { onPicture: (file: File) => void; onClose: () => void }) {
  const { t } = useTexts(mediaTexts);
  const video = useRef<HTMLVideoElement>(null);
  const stream = useRef<MediaStream>(null);
  const [state, setState] = useState<'starting' | 'ready' | 'failed'>('starting');
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    let gone = false;
    const deviceId = readChosenDevice(localStorage, 'camera');
    const begin = async (): Promise<void> => {
      const opened = await navigator.mediaDevices.getUserMedia({
        video: {
          width: { ideal: 1_920 },
          height: { ideal: 1_080 },
          ...(deviceId !== null && { deviceId: { ideal: deviceId } }),
        },
      });
      if (gone) return opened.getTracks().forEach((track) => track.stop());
      stream.current = opened;
      const element = video.current;
      if (!element) return;
      element.srcObject = opened;
      await element.play();
      if (!gone) setState('ready');
    };
    begin().catch(() => {
      if (!gone) setState('failed');
    });
    return () => {
      gone = true;
      stream.current?.getTracks().forEach((track) => track.stop());
      stream.current = null;
    };
  }, [attempt]);

  const take = useCallback(() => {
    const element = video.current;
    if (!element || element.videoWidth === 0) return;
    const canvas = document.createElement('canvas');
    canvas.width = element.videoWidth;
    canvas.height = element.videoHeight;
    canvas.getContext('2d')?.drawImage(element, 0, 0);
    canvas.toBlob(
      (picture) => {
        if (picture) onPicture(new File([picture], `${t('media:cameraName')}.jpg`, { type: 'image/jpeg' }));
        onClose();
      },
      'image/jpeg',
      0.92,
    );
  }, [onPicture, onClose, t]);

  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="large"
      title={t('media:cameraTitle')}
      footer={
        <>
          <DialogClose>
            <Button kind="secondary">{t('common.cancel')}</Button>
          </DialogClose>
          <Button disabled={state !== 'ready'} onClick={take}>
            {t('media:cameraTake')}
          </Button>
        </>
      }
    >
      <div className="relative flex aspect-video w-full items-center justify-center overflow-hidden rounded-card bg-sunken">
        {state === 'starting' && (
          <span role="status" aria-label={t('media:cameraStarting')} className="absolute text-muted">
            <Spinner className="size-6" />
          </span>
        )}
        {state === 'failed' ? (
          <ErrorState
            title={t('media:cameraFailed')}
            onRetry={() => {
              setState('starting');
              setAttempt(attempt + 1);
            }}
          />
        ) : (
          // Mirrored preview. The picture itself is not mirrored.
          <video ref={video} muted playsInline className="size-full -scale-x-100 object-cover" />
        )}
      </div>
    </Dialog>
  );
}
