import type { PersonKeys } from '@nolo/client/keys/types';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { lazyDialog } from '../ui/lazyDialog.tsx';
import { toast } from '../ui/toasts.ts';
import { keysTexts } from './keysTexts.ts';
import { useKeyDeviceName } from './useKeyDeviceName.ts';
import { useKeysAction } from './useKeys.ts';
import { usePersonKeys } from './usePersonKeys.ts';

const VerifyDialog = lazyDialog(async () => (await import('./VerifyDialog.tsx')).VerifyDialog);

/** Returns true if the user has to decide about the person's keys. */
export const isAsked = (person: PersonKeys | undefined): person is PersonKeys =>
  person?.identity === 'changed' || person?.identity === 'undecided';

/** Returns a function that says what happened to the keys of a person. */
export function useDescribeChange(): (person: PersonKeys | undefined, name: string) => string {
  const { t } = useTexts(keysTexts);
  const nameOf = useKeyDeviceName('formerDevice');
  return (person, name) => {
    const names = { name, device: nameOf(person?.decidedOn ?? '') };
    if (person?.identity === 'undecided')
      return t(person.wasVerified ? 'keys:changed.askedVerified' : 'keys:changed.asked', names);
    return t(person?.wasVerified ? 'keys:changed.textVerified' : 'keys:changed.text', names);
  };
}

/**
 * Asks in a conversation about the other person's keys that changed, or that a removed device decided about, until the
 * user verifies or accepts them.
 */
export function IdentityNotice({ userId, name }: { userId: string; name: string }) {
  const { t } = useTexts(keysTexts);
  const describe = useDescribeChange();
  const person = usePersonKeys(userId);
  const [verifying, setVerifying] = useState(false);
  const accept = useKeysAction((keys) => keys.acceptIdentity(userId), {
    failure: t('keys:changed.failed'),
    onDone: () => toast({ kind: 'success', title: t('keys:changed.accepted') }),
  });
  if (!isAsked(person)) return null;
  return (
    <>
      <Banner
        tone={person.wasVerified ? 'warning' : 'neutral'}
        icon={<KeyRound aria-hidden="true" />}
        action={
          <>
            <Button size="small" kind="secondary" onClick={() => setVerifying(true)}>
              {t('keys:changed.verify')}
            </Button>
            <Button size="small" kind="secondary" busy={accept.busy} onClick={() => void accept.run()}>
              {t('keys:changed.accept')}
            </Button>
          </>
        }
      >
        {describe(person, name)}
      </Banner>
      {verifying && <VerifyDialog userId={userId} name={name} onClose={() => setVerifying(false)} />}
    </>
  );
}
