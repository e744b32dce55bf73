import type { Self } from '@nolo/api';
import { useState } from 'react';
import { explainFailure } from '../../i18n/explainFailure.ts';
import { authenticateByPasskey, toPasskeyErrorKey } from './passkeys.ts';
import { useTexts } from '../../i18n/texts.ts';
import { passkeysTexts } from './passkeysTexts.ts';

/** Asks for one passkey at a time, and describes the result of the last request. */
export function usePasskeyRequest(prove: boolean, onDone: (user: Self) => void) {
  const { t, i18n } = useTexts(passkeysTexts);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const reportFailure = (failure: unknown) => {
    const refusal = toPasskeyErrorKey(failure);
    setError(refusal === undefined ? explainFailure(i18n, failure) : t(`passkeys:errors.${refusal}`));
  };
  const requestPasskey = async () => {
    setBusy(true);
    setError(null);
    try {
      onDone(await authenticateByPasskey(prove));
    } catch (failure) {
      reportFailure(failure);
    }
    setBusy(false);
  };
  return { busy, error, ask: requestPasskey, reportFailure };
}
