import type { Self } from '@nolo/api';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addWords } from '../../i18n/i18n.ts';
import { explainFailure } from '../../i18n/explainFailure.ts';
import { enPasskeys } from './enPasskeys.ts';
import { authenticateByPasskey, toPasskeyErrorKey } from './passkeys.ts';

/** Asks for one passkey at a time, and describes the result of the last request. */
export function usePasskeyRequest(prove: boolean, onDone: (user: Self) => void) {
  const { t, i18n } = useTranslation();
  addWords(i18n, 'passkeys', enPasskeys);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const reportFailure = (failure: unknown) => {
    const refusal = toPasskeyErrorKey(failure);
    setError(refusal === undefined ? explainFailure(i18n, failure) : t(`passkeys.errors.${refusal}`));
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
