import type { WrappedSeed } from '@nolo/client/keys/types';
import { useTexts } from '../i18n/texts.ts';
import { toast } from '../ui/toasts.ts';
import { keysTexts } from './keysTexts.ts';
import { PrfUnsupported, readPasskeyPrf } from './model/passkeyPrf.ts';
import { useFormerDevice, withFormer } from './useFormerDevice.ts';
import { useKeysAction } from './useKeys.ts';

/** Returns why a passkey was not used, as a key of `keys:passkey`; undefined for other errors. */
export function toPrfErrorKey(error: unknown): 'cancelled' | 'unsupported' | undefined {
  if (error instanceof PrfUnsupported) return 'unsupported';
  return error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name) ? 'cancelled' : undefined;
}

/** Brings this device in by a passkey that wraps the recovery seed. */
export function useRestoreByPasskey(onDone: () => void) {
  const { t } = useTexts(keysTexts);
  const former = useFormerDevice();
  return useKeysAction(
    async (keys, seeds: readonly WrappedSeed[]) => {
      const ids = seeds.map(({ credentialId }) => credentialId);
      const { credentialId, prf } = await readPasskeyPrf(ids, await keys.passkeyInput());
      const seed = seeds.find((one) => one.credentialId === credentialId);
      if (seed === undefined) throw new PrfUnsupported();
      await keys.recover({ passkeyId: seed.passkeyId, prf }, withFormer([], former));
    },
    {
      failure: (error) => {
        const reason = toPrfErrorKey(error);
        return t(reason === undefined ? 'keys:recovery.restoreFailed' : `keys:passkey.${reason}`);
      },
      onDone: () => {
        toast({ kind: 'success', title: t('keys:words.restored') });
        onDone();
      },
    },
  );
}
