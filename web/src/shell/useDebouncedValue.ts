import { useEffect, useState } from 'react';

/** Returns the value once it is unchanged for `ms` milliseconds, such as typed text when typing pauses. */
export function useDebouncedValue(value: string, ms: number): string {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return rested;
}
