import { startTrustedWorker } from '../device/startTrustedWorker.ts';
import intlWorker from './intlWorker.ts?worker&url';

/** Maximum milliseconds to wait, because its file may fail to load, and a form that waits for it sends nothing. */
const intlLoadTimeoutMs = 1_000;

const prepared = new Map<string, Promise<void>>();

/** Runs the worker. Without it, the first formatter does the work itself. Always resolves, and soon. */
export function prepareIntl(what: 'dates' | 'countries'): Promise<void> {
  const known = prepared.get(what);
  if (known) return known;
  const ready = new Promise<void>((resolve) => {
    setTimeout(resolve, intlLoadTimeoutMs);
    try {
      const worker = startTrustedWorker('dates', intlWorker);
      worker.onmessage = () => resolve();
      worker.onerror = () => resolve();
      worker.postMessage(what);
    } catch {
      resolve();
    }
  });
  prepared.set(what, ready);
  return ready;
}
