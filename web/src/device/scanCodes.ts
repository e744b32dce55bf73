import { readChosenDevice } from './deviceChoice.ts';

/** Detector of the Shape Detection API, which TypeScript lacks. */
interface CodeReader {
  detect: (picture: HTMLVideoElement) => Promise<{ rawValue: string }[]>;
}
type CodeReaderClass = new (options: { formats: string[] }) => CodeReader;

/** Milliseconds between scans: often enough to feel immediate, with little work for a phone. */
const scanIntervalMs = 250;

/** Returns the browser's own reader, or a library's. Chromium has its own on systems that have one. */
async function createReader(): Promise<CodeReader> {
  const { BarcodeDetector: own } = globalThis as { BarcodeDetector?: CodeReaderClass };
  const Reader = own ?? ((await import('qr/decode.js')).BarcodeDetector as unknown as CodeReaderClass);
  return new Reader({ formats: ['qr_code'] });
}

interface ScanHandlers {
  onReady: () => void;
  onCode: (code: string) => void;
}

/**
 * Opens the rear camera, if any, and reports each QR code until aborted. No picture is stored or leaves the device.
 * Rejects if there is no camera or it is not allowed.
 */
export async function scanCodes(
  element: HTMLVideoElement,
  over: AbortSignal,
  { onReady, onCode }: ScanHandlers,
): Promise<void> {
  const reader = await createReader();
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
