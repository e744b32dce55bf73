import { Fingerprint } from 'lucide-react';
import { usePasskeyRequest } from '../passkeys/usePasskeyRequest.ts';
import { proofStore } from '../../api/proof.ts';
import { Button } from '../../ui/Button.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { passkeysTexts } from '../passkeys/passkeysTexts.ts';

/** Fresh proof by a passkey: nothing to wait for and nothing to type. */
export function PasskeyProof() {
  const { t } = useTexts(passkeysTexts);
  const { busy, error, ask: requestPasskey } = usePasskeyRequest(true, () => proofStore.getState().settle(true));
  return (
    <>
      <Button size="large" wide icon={<Fingerprint />} busy={busy} onClick={() => void requestPasskey()}>
        {t('passkeys:confirm')}
      </Button>
      {error !== null && (
        <p role="alert" className="text-13 text-danger-text">
          {error}
        </p>
      )}
    </>
  );
}
