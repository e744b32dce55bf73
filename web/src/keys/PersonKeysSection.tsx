import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useTexts } from '../i18n/texts.ts';
import type { PersonKeys } from '@nolo/client/keys/types';
import { Button } from '../ui/Button.tsx';
import { lazyDialog } from '../ui/lazyDialog.tsx';
import { keysTexts } from './keysTexts.ts';
import { useKeyDeviceName } from './useKeyDeviceName.ts';
import { useKeysAction, useKeysState } from './useKeys.ts';
import { usePersonKeys } from './usePersonKeys.ts';

const VerifyDialog = lazyDialog(async () => (await import('./VerifyDialog.tsx')).VerifyDialog);

const blockedStates = { fork: 'stateFork', old: 'stateOld', version: 'stateVersion' } as const;

const stateOf = ({ identity, verified, blocked, newerOn }: PersonKeys) => {
  if (newerOn !== undefined && blocked === 'old') return 'stateNewer';
  if (blocked !== null) return blockedStates[blocked];
  if (identity === 'none') return 'stateNone';
  if (identity === 'changed') return 'stateChanged';
  if (identity === 'undecided') return 'stateUndecided';
  return verified ? 'stateVerified' : 'stateKnown';
};

/** Shows in a person's details what is known of their keys, and lets the user verify them. */
export function PersonKeysSection({ userId, name }: { userId: string; name: string }) {
  const { t } = useTexts(keysTexts);
  const nameOf = useKeyDeviceName('formerDevice');
  const { phase } = useKeysState();
  const person = usePersonKeys(userId);
  const [open, setOpen] = useState(false);
  const aside = useKeysAction((keys) => keys.setAside(userId), { failure: t('keys:verify.failed') });
  const isReady = phase.name === 'ready';
  if (phase.name === 'loading' || (isReady && person === undefined)) return null;
  const decidedOn = person?.decidedOn ?? '';
  return (
    <section>
      <h3 className="text-14 font-semibold">{t('keys:verify.section')}</h3>
      <p className="mt-1 text-13 text-muted">
        {isReady && person
          ? t(`keys:verify.${stateOf(person)}`, { name, device: nameOf(person.newerOn ?? '') })
          : t('keys:verify.stateUnknown')}
        {decidedOn !== '' && ` ${t('keys:verify.decidedOn', { device: nameOf(decidedOn) })}`}
      </p>
      {isReady && person?.blocked === 'old' && person.newerOn !== undefined && (
        <Button wide kind="secondary" className="mt-3" busy={aside.busy} onClick={() => void aside.run()}>
          {t('keys:verify.setAside')}
        </Button>
      )}
      {isReady && person && person.identity !== 'none' && (
        <Button wide kind="secondary" className="mt-3" icon={<ShieldCheck />} onClick={() => setOpen(true)}>
          {t(person.verified ? 'keys:verify.again' : 'keys:verify.open', { name })}
        </Button>
      )}
      {open && <VerifyDialog userId={userId} name={name} onClose={() => setOpen(false)} />}
    </section>
  );
}
