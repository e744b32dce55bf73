import { useEffect, useState } from 'react';
import type { OutgoingStatus } from './model/statusDelivery.ts';
import { useOpenStatusOutbox } from './useOpenStatusOutbox.ts';

/** Returns the user's unsent status updates. Sending those of an earlier session resumes. */
export function useOutgoingStatuses(): readonly OutgoingStatus[] {
  const statuses = useOpenStatusOutbox();
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
      // The code failed to load. Without it, posting is impossible and reports that.
      () => undefined,
    );
    return () => {
      gone = true;
      stop?.();
    };
  }, [statuses]);
  return outgoing;
}
