import { useEffect, useState } from 'react';
import type { OutgoingStatus } from './model/statusDelivery.ts';
import { useStatusOutbox } from './useStatusOutbox.ts';

/** One's status updates that have not left this device; those of an earlier visit go on with it. */
export function useOutgoing(): readonly OutgoingStatus[] {
  const statuses = useStatusOutbox();
  const [outgoing, setOutgoing] = useState<readonly OutgoingStatus[]>([]);
  useEffect(() => {
    let stop: (() => void) | undefined;
    let gone = false;
    statuses().then(
      ({ store }) => {
        if (gone) return;
        setOutgoing(store.getState().outgoing);
        stop = store.subscribe((state) => setOutgoing(state.outgoing));
      },
      // Its code did not come over the line; without it nothing can be posted, which says so then.
      () => undefined,
    );
    return () => {
      gone = true;
      stop?.();
    };
  }, [statuses]);
  return outgoing;
}
