import type { Dispatch, SetStateAction } from 'react';
import { useEffect, useState } from 'react';
import { useSelf } from './self.ts';

/** What was entered in forms of screens and not sent, by account and form; gone with the page. */
const entries = new Map<string, unknown>();

/**
 * The state of a form that stands on a screen. It is kept while its person looks elsewhere in the app, until it is `empty`
 * again, and the page is not closed unasked while the form is on the screen with something in it. `empty` is a constant.
 */
export function useKeptEntry<T>(form: string, empty: T): [T, Dispatch<SetStateAction<T>>] {
  const key = `${useSelf().id} ${form}`;
  const [state, setState] = useState<T>(() => (entries.has(key) ? (entries.get(key) as T) : empty));
  useEffect(() => {
    if (state === empty) {
      entries.delete(key);
      return undefined;
    }
    entries.set(key, state);
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [key, state, empty]);
  return [state, setState];
}
