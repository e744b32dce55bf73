import { useEffect, useState } from 'react';
import { prepareIntl } from '../../i18n/prepareIntl.ts';
import type * as parts from './latePhoneParts.ts';

export type PhoneNumbers = typeof parts;

let loaded: PhoneNumbers | null = null;
let loading: Promise<PhoneNumbers | null> | undefined;

/** What knows the numbers of the world; null where it could not be loaded, and the server reads what was typed. */
export function loadPhoneNumbers(): Promise<PhoneNumbers | null> {
  loading ??= Promise.all([import('./latePhoneParts.ts'), prepareIntl('countries')]).then(
    ([numbers]) => (loaded = numbers),
    () => {
      loading = undefined;
      return null;
    },
  );
  return loading;
}

/** The same for a component; null until it is here. */
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
