import type { NewerList, WrappedSeed } from '@nolo/client/keys/types';
import { useState } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { toast } from '../ui/toasts.ts';
import { keysTexts } from './keysTexts.ts';
import { newerListOf } from './model/createKeysClient.ts';
import { PrfUnsupported, readPasskeyPrf } from './model/passkeyPrf.ts';
import { useFormerDevice, withFormer } from './useFormerDevice.ts';
import { useKeysAction } from './useKeys.ts';

/** Returns why a passkey was not used, as a key of `keys:passkey`; undefined for other errors. */
export function toPrfErrorKey(error: unknown): 'cancelled' | 'unsupported' | undefined {
  if (error instanceof PrfUnsupported) return 'unsupported';
  return error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name) ? 'cancelled' : undefined;
}

/** Brings this device in by a passkey that wraps the recovery seed. Asks if the vault knows a newer list. */
export function useRestoreByPasskey(seeds: readonly WrappedSeed[], onDone: () => void) {
  const { t } = useTexts(keysTexts);
  const former = useFormerDevice();
  const [newer, setNewer] = useState<NewerList>();
  const recover = useKeysAction(
    async (keys, setsAside: string | undefined) => {
      const ids = seeds.map(({ credentialId }) => credentialId);
      const { credentialId, prf } = await readPasskeyPrf(ids, await keys.passkeyInput());
      const seed = seeds.find((one) => one.credentialId === credentialId);
      if (seed === undefined) throw new PrfUnsupported();
      await keys.recover({ passkeyId: seed.passkeyId, prf }, withFormer([], former), setsAside);
    },
    {
      failure: (error) => {
        const asked = newerListOf(error);
        setNewer(asked);
        if (asked) return undefined;
        const reason = toPrfErrorKey(error);
        return t(reason === undefined ? 'keys:recovery.restoreFailed' : `keys:passkey.${reason}`);
      },
      onDone: () => {
        toast({ kind: 'success', title: t('keys:words.restored') });
        onDone();
      },
    },
  );
  return {
    run: () => recover.run(undefined),
    /** Newer list about which the user decides; undefined while there is no question. */
    newer,
    setAside: () => recover.run(newer?.id),
    cancel: () => setNewer(undefined),
  };
}
