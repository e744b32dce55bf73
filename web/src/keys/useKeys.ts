import type { KeysPhase, KeysState } from '@nolo/client/keys/types';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useExplainFailure } from '../i18n/useExplainFailure.ts';
import { useTexts } from '../i18n/texts.ts';
import { useAction, type Action, type ActionOptions } from '../ui/useAction.ts';
import { KeysFailure } from './model/createKeysClient.ts';
import type { KeysClient } from './model/keysProtocol.ts';
import { keysStore, wantKeys } from './model/keysStore.ts';
import { keysTexts } from './keysTexts.ts';

/** Returns the state of this device's keys, and starts them for a screen that shows it. */
export function useKeysState(): { phase: KeysPhase; state: KeysState | null } {
  useEffect(wantKeys, []);
  const phase = useStore(keysStore, (store) => store.phase);
  const state = useStore(keysStore, (store) => store.state);
  return { phase, state };
}

/** Codes of refusals by the keys of this device that have a sentence of their own. */
const codes = [
  'unavailable',
  'not_ready',
  'blocked',
  'not_allowed',
  'no_recovery',
  'wrong_words',
  'wrong_passkey',
  'no_keys',
  'vault_closed',
  'newer_list',
  'newer_in_vault',
  'undecided',
  'no_link',
  'conflict',
] as const;

/** Returns a function that explains why an action on keys failed. */
function useExplainKeysFailure(): (error: unknown) => string {
  const { t } = useTexts(keysTexts);
  const explain = useExplainFailure();
  return (error) => {
    if (!(error instanceof KeysFailure)) return explain(error);
    return t(`keys:failure.${codes.find((code) => code === error.code) ?? 'other'}`);
  };
}

type KeysActionOptions<Input, Result> = Omit<ActionOptions<Input, Result>, 'failure'> & {
  /** Title of a failure. A function may handle an error itself and return undefined. */
  failure: string | ((error: unknown) => string | undefined);
};

/** An action of the user with the keys. Asks for a fresh proof if the server demands one, and then runs again. */
export function useKeysAction<Input = void, Result = unknown>(
  action: (keys: KeysClient, input: Input) => Promise<Result>,
  { failure, ...options }: KeysActionOptions<Input, Result>,
): Action<Input, Result> {
  const explain = useExplainKeysFailure();
  return useAction<Input, Result>(
    (input) => {
      const { keys } = keysStore.getState();
      return keys === null ? Promise.reject(new KeysFailure('unavailable', 'No keys here.')) : action(keys, input);
    },
    {
      ...options,
      failure: (error) => {
        const title = typeof failure === 'string' ? failure : failure(error);
        return title === undefined ? undefined : { title, description: explain(error) };
      },
    },
  );
}
