import { startTransition, useEffect, useState } from 'react';

let before = false;

/**
 * Returns false until a part of a conversation is ready to be rendered. In the first conversation since the page load,
 * it stays false for one more render: rendering all parts at once takes as long as a whole screen, and nothing visible
 * would disappear meanwhile.
 */
export function useDeferredFirstRender(ready: boolean): boolean {
  // A deferred value would not wait within another one.
  const [drawn, setDrawn] = useState(before);
  useEffect(() => {
    if (ready && !drawn) startTransition(() => setDrawn(true));
    if (ready && drawn) before = true;
  }, [ready, drawn]);
  return ready && drawn;
}
