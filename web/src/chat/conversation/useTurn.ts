import { startTransition, useEffect, useState } from 'react';

let before = false;

/**
 * False until a part of a conversation is to be drawn, and for another turn while it is the first since the page came:
 * that one takes as long as a whole screen where all of its parts come at once, and nothing of it stands yet to go away.
 */
export function useTurn(ready: boolean): boolean {
  // A deferred value would not wait within another one.
  const [drawn, setDrawn] = useState(before);
  useEffect(() => {
    if (ready && !drawn) startTransition(() => setDrawn(true));
    if (ready && drawn) before = true;
  }, [ready, drawn]);
  return ready && drawn;
}
