import { useEffect, useState } from 'react';

/** The value once it has rested for a while: what was typed, when the keys pause. */
export function useRested(value: string, ms: number): string {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return rested;
}
