import type { ForkQuestion, NewerList } from '@nolo/client/keys/types';
import { useState } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { lazyDialog } from '../ui/lazyDialog.tsx';
import { keysTexts } from './keysTexts.ts';
import { useKeyDeviceName } from './useKeyDeviceName.ts';
import { useKeysAction, useKeysState } from './useKeys.ts';

const SetUpDialog = lazyDialog(async () => (await import('./SetUpDialog.tsx')).SetUpDialog);
const StartOverDialog = lazyDialog(
  async () => (await import('./SetUpDialog.tsx')).StartOverDialog,
  ({ onCancel }) => onCancel(),
);

/** Takes the user's yes to one of two versions of what the devices share. */
function ForkAnswer({ question }: { question: ForkQuestion }) {
  const { t } = useTexts(keysTexts);
  const agree = useKeysAction((keys) => keys.agreeToFork(question.id), { failure: t('keys:fork.failed') });
  return (
    <Button size="small" busy={agree.busy} onClick={() => void agree.run()}>
      {t(`keys:fork.goOn.${question.kind}`)}
    </Button>
  );
}

/** Lets the user go on without the newer list that only the vault knows. */
function NewerAnswer({ newer }: { newer: NewerList }) {
  const { t } = useTexts(keysTexts);
  const aside = useKeysAction((keys) => keys.setListAside(newer.id), { failure: t('keys:fork.failed') });
  return (
    <>
      <p className="w-full text-14">{t('keys:newer.meaning')}</p>
      <Button size="small" kind="secondary" busy={aside.busy} onClick={() => void aside.run()}>
        {t('keys:newer.goOn')}
      </Button>
    </>
  );
}

const titles = {
  unavailable: 'keys:unavailable.title',
  blocked: 'keys:blocked.title',
  removed: 'keys:setUp.cardTitle',
  unlinked: 'keys:setUp.cardTitle',
  ready: 'keys:shared.title',
  loading: 'keys:setUp.cardTitle',
} as const;

/** Says what this device needs before it can use the account's keys. Shows nothing if it can use them. */
export function ThisDeviceCard() {
  const { t } = useTexts(keysTexts);
  const nameOf = useKeyDeviceName('formerDevice');
  const { phase, state } = useKeysState();
  const question = state?.forkQuestion;
  const newer = state?.newerList;
  const [open, setOpen] = useState<'setUp' | 'over' | null>(null);
  const close = () => setOpen(null);
  const text = () => {
    switch (phase.name) {
      case 'unavailable':
        return t(`keys:unavailable.${phase.reason}`);
      case 'blocked':
        if (question !== undefined) return t(`keys:fork.${question.kind}`, { device: nameOf(question.deviceName) });
        return newer && phase.reason === 'old'
          ? t('keys:newer.blocked', { device: nameOf(newer.deviceName) })
          : t(`keys:blocked.${phase.reason}`);
      case 'removed':
        return t('keys:removedHere');
      case 'unlinked':
        return t(phase.hasOtherDevices || phase.hasRecovery ? 'keys:setUp.text' : 'keys:setUp.textAlone');
      case 'ready':
        return state?.vault === 'waiting' || state?.vault === 'incomplete' ? t(`keys:shared.${state.vault}`) : null;
      case 'loading':
        return null;
    }
  };
  const words = text();
  return (
    <>
      {words !== null && (
        <Card title={t(titles[phase.name])}>
          <p className="text-14 text-muted">{words}</p>
          <div className="mt-3 flex flex-wrap gap-2 empty:hidden">
            {question !== undefined && <ForkAnswer question={question} />}
            {phase.name === 'blocked' && phase.reason === 'old' && newer && <NewerAnswer newer={newer} />}
            {(phase.name === 'unlinked' || phase.name === 'removed') && (
              <Button size="small" onClick={() => setOpen('setUp')}>
                {t('keys:setUp.open')}
              </Button>
            )}
            {phase.name === 'blocked' && phase.reason === 'fork' && (
              <Button size="small" kind="secondary" onClick={() => setOpen('over')}>
                {t('keys:setUp.over')}
              </Button>
            )}
          </div>
        </Card>
      )}
      {open === 'setUp' && <SetUpDialog onClose={close} />}
      {open === 'over' && <StartOverDialog open onCancel={close} onDone={close} />}
    </>
  );
}
