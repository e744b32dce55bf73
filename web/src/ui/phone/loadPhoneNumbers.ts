import { useEffect, useState } from 'react';
import { prepareIntl } from '../../i18n/prepareIntl.ts';
import type * as latePhoneModule from './latePhoneModule.ts';

export type PhoneNumbers = typeof latePhoneModule;

let loaded: PhoneNumbers | null = null;
let loading: Promise<PhoneNumbers | null> | undefined;

/** Loads the phone number data. Resolves to null on failure, and the server then parses the input. */
export function loadPhoneNumbers(): Promise<PhoneNumbers | null> {
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
export function usePhoneNumbers(): PhoneNumbers | null {
  const [numbers, setNumbers] = useState(loaded);
  useEffect(() => {
    if (numbers !== null) return undefined;
    let left = false;
    void loadPhoneNumbers().then((now) => {
      if (!left) setNumbers(now);
    });
    return () => {
      left = true;
    };
  }, [numbers]);
  return numbers;
}
