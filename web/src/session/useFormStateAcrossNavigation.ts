import { useEffect, useState, type Dispatch, type SetStateAction } from 'react';
import { useSelf } from './self.ts';

/** Unsent form input by account and form. Lost when the page closes. */
const entries = new Map<string, unknown>();

/**
 * State of a form on a screen. It survives navigation within the app until it is `empty` again, and the browser asks
 * before closing the page while the form is visible with input. `empty` must be a constant.
 */
export function useFormStateAcrossNavigation<T>(form: string, empty: T): [T, Dispatch<SetStateAction<T>>] {
  const key = `${useSelf().id} ${form}`;
  const [state, setState] = useState<T>(() => (entries.has(key) ? (entries.get(key) as T) : empty));
  useEffect(() => {
    if (state === empty) {
      entries.delete(key);
      return undefined;
    }
    entries.set(key, state);
    const confirmUnload = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', confirmUnload);
    return () => removeEventListener('beforeunload', confirmUnload);
  }, [key, state, empty]);
  return [state, setState];
}
