import { useEffect, useRef, useState } from 'react';
import { readChosenDevice } from '../device/deviceChoice.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import { readContactTokenFromCode } from './contactLink.ts';
import { useTexts } from '../i18n/texts.ts';
import { contactsTexts } from './contactsTexts.ts';

/** Detector of the Shape Detection API, which TypeScript lacks. */
interface CodeReader {
  detect: (picture: HTMLVideoElement) => Promise<{ rawValue: string }[]>;
}
declare const BarcodeDetector: new (options: { formats: string[] }) => CodeReader;

/** Milliseconds between scans: often enough to feel immediate, with little work for a phone. */
const scanIntervalMs = 250;

/** Scans the code of a person's link with the camera. No picture is stored or leaves the device. */
export function ScanDialog({ onFound, onClose }: { onFound: (token: string) => void; onClose: () => void }) {
  const { t } = useTexts(contactsTexts);
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<'starting' | 'looking' | 'failed'>('starting');
  const [isOther, setOther] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const found = useRef(onFound);
  useEffect(() => {
    found.current = onFound;
  });

  useEffect(() => {
    const over = new AbortController();
    scanCodes(video.current, over.signal, {
      onReady: () => setState('looking'),
      onCode(code) {
        const token = readContactTokenFromCode(code, location.origin);
        if (token === null) return setOther(true);
        over.abort();
        found.current(token);
      },
    }).catch(() => {
      if (!over.signal.aborted) setState('failed');
    });
    return () => over.abort();
  }, [attempt]);

  return (
    <Dialog
      open
      size="small"
      onOpenChange={(open) => open || onClose()}
      title={t('contacts:scanTitle')}
      description={t('contacts:scanText')}
    >
      <div className="relative flex aspect-square w-full items-center justify-center overflow-hidden rounded-card bg-sunken">
        {state === 'starting' && (
          <span role="status" aria-label={t('contacts:scanStarting')} className="absolute text-muted">
            <Spinner className="size-6" />
          </span>
        )}
        {state === 'failed' && (
          <ErrorState
            className="absolute"
            title={t('contacts:scanFailed')}
            onRetry={() => {
              setState('starting');
              setAttempt(attempt + 1);
            }}
          />
        )}
        <video ref={video} muted playsInline className="size-full object-cover" hidden={state === 'failed'} />
      </div>
      <p role="status" className="mt-3 min-h-5 text-center text-13 text-muted">
        {isOther ? t('contacts:scanOther') : ''}
      </p>
    </Dialog>
  );
}

interface ScanHandlers {
  onReady: () => void;
  onCode: (code: string) => void;
}

/** Opens the rear camera, if any, and reports each detected code until aborted. */
async function scanCodes(
  element: HTMLVideoElement | null,
  over: AbortSignal,
  { onReady, onCode }: ScanHandlers,
): Promise<void> {
  if (element === null) return;
  const reader = new BarcodeDetector({ formats: ['qr_code'] });
  const deviceId = readChosenDevice(localStorage, 'camera');
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: 'environment', ...(deviceId !== null && { deviceId: { ideal: deviceId } }) },
  });
  const stop = () => stream.getTracks().forEach((track) => track.stop());
  if (over.aborted) return stop();
  element.srcObject = stream;
  await element.play();
  onReady();
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    reader
      .detect(element)
      .then((codes) => codes.forEach(({ rawValue }) => over.aborted || onCode(rawValue)))
      // The failure concerns one picture. The next may be readable.
      .catch(() => undefined)
      .finally(() => (busy = false));
  }, scanIntervalMs);
  over.addEventListener('abort', () => {
    clearInterval(timer);
    stop();
  });
}
