import { useEffect, useState } from 'react';
import { prepareIntl } from '../../i18n/prepareIntl.ts';
import type * as latePhoneModule from './latePhoneModule.ts';

export type PhoneNumberModule = typeof latePhoneModule;

let loaded: PhoneNumberModule | null = null;
let loading: Promise<PhoneNumberModule | null> | undefined;

/** Loads the phone number data. Resolves to null on failure, and the server then parses the input. */
export function loadPhoneNumberModule(): Promise<PhoneNumberModule | null> {
  loading ??= Promise.all([import('./latePhoneModule.ts'), prepareIntl('countries')]).then(
    ([numbers]) => (loaded = numbers),
    () => {
      loading = undefined;
      return null;
    },
  );
  return loading;
}

/** Returns the phone number data for a component. Null until loaded. */
export function usePhoneNumberModule(): PhoneNumberModule | null {
  const [numbers, setNumbers] = useState(loaded);
  useEffect(() => {
    if (numbers !== null) return undefined;
    let left = false;
    void loadPhoneNumberModule().then((now) => {
      if (!left) setNumbers(now);
    });
    return () => {
      left = true;
    };
  }, [numbers]);
  return numbers;
}
