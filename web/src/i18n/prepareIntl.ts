import { trustedWorker } from '../device/trustedWorker.ts';
import intlWorker from './intlWorker.ts?worker&url';

/** Its file may be stuck on the line, and a form that waits for it sends nothing: nobody waits for longer. */
const mostMs = 1_000;

const prepared = new Map<string, Promise<void>>();

/** See the worker. Without it whatever shows the first of these does what it would have done. Resolves in any case, and soon. */
export function prepareIntl(what: 'dates' | 'countries'): Promise<void> {
  const known = prepared.get(what);
  if (known) return known;
  const ready = new Promise<void>((resolve) => {
    setTimeout(resolve, mostMs);
    try {
      const worker = trustedWorker('dates', intlWorker);
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
