import { useEffect, useState } from 'react';
import { serverNow } from '../api/serverClock.ts';
import { formatCallDuration } from '../chat/words/callWords.ts';

/** Duration of the conversation. Not announced every second. */
export function CallTimer({ since, className }: { since: number; className?: string }) {
  const [now, setNow] = useState(() => serverNow());
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <span role="timer" aria-live="off" className={`tabular ${className ?? ''}`}>
      {formatCallDuration((now - since) / 1_000)}
    </span>
  );
}
