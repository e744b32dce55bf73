import type { Self } from '@nolo/api';
import { Fingerprint } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { offerPasskeyAutofill } from '../passkeys/passkeys.ts';
import { usePasskeyRequest } from '../passkeys/usePasskeyRequest.ts';
import { Button } from '../../ui/Button.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { passkeysTexts } from '../passkeys/passkeysTexts.ts';

/** Sign-in with a passkey: by its button, or from the browser's autofill in the field above. */
export function PasskeySignIn({ onDone }: { onDone: (user: Self) => void }) {
  const { t } = useTexts(passkeysTexts);
  const { busy, error, ask: requestPasskey, reportFailure } = usePasskeyRequest(false, onDone);
  const onUsed = useEffectEvent(onDone);
  const onError = useEffectEvent(reportFailure);
  // A request by the button replaces the autofill offer, which resumes afterwards.
  useEffect(() => (busy ? undefined : offerPasskeyAutofill(onUsed, onError)), [busy]);
  return (
    <div>
      <Button
        size="large"
        wide
        kind="secondary"
        icon={<Fingerprint />}
        busy={busy}
        onClick={() => void requestPasskey()}
      >
        {t('passkeys:use')}
      </Button>
      {error !== null && (
        <p role="alert" className="mt-2 text-13 text-danger-text">
          {error}
        </p>
      )}
    </div>
  );
}
