import type { KeysPhase, KeysState } from '@nolo/client/keys/types';
import { ChevronRight, Fingerprint, Hash, QrCode as QrCodeIcon, RefreshCw, ScrollText } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { toast } from '../ui/toasts.ts';
import { keysTexts } from './keysTexts.ts';
import { LinkSteps } from './LinkSteps.tsx';
import { canUsePasskeyPrf } from './model/passkeyPrf.ts';
import { RestoreForm } from './RestoreForm.tsx';
import { useKeyDeviceName } from './useKeyDeviceName.ts';
import { useKeysAction, useKeysState } from './useKeys.ts';
import { useRestoreByPasskey } from './useRestoreByPasskey.ts';

/** Ways that are open to this device. */
type Ways = Omit<Extract<KeysPhase, { name: 'unlinked' }>, 'name'>;

/** Returns the ways of a device that has no part in the account's keys; null for any other. */
export function waysOf({ phase, devices, recovery }: KeysState): Ways | null {
  if (phase.name === 'unlinked') return phase;
  if (phase.name !== 'removed') return null;
  const hasOtherDevices = devices.some(({ kind }) => kind !== 2);
  return { hasRecovery: recovery.isSet, passkeys: recovery.passkeys, hasOtherDevices };
}

/** Ways to bring the account's keys to this device. */
export function SetUpDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTexts(keysTexts);
  const { state } = useKeysState();
  const [entering, setEntering] = useState(false);
  const [overOpen, setOverOpen] = useState(false);
  const ways = state && waysOf(state);
  const cancel = useKeysAction((keys) => keys.cancelLink(), { failure: () => undefined });
  const begin = useKeysAction((keys, way: 'code' | 'digits') => keys.beginLink(way), {
    failure: t('keys:link.failedTitle'),
  });
  const link = state?.link?.side === 'new' ? state.link : null;
  const close = () => {
    if (link !== null) void cancel.run();
    onClose();
  };
  if (entering) {
    return (
      <RestoreForm
        onBack={() => setEntering(false)}
        onDone={() => {
          toast({ kind: 'success', title: t('keys:words.restored') });
          onClose();
        }}
      />
    );
  }
  const isAlone = ways !== null && !ways.hasOtherDevices && !ways.hasRecovery;
  return (
    <>
      <Dialog
        open
        onOpenChange={(open) => open || close()}
        title={t('keys:setUp.title')}
        {...(link === null && { description: t(isAlone ? 'keys:setUp.textAlone' : 'keys:setUp.text') })}
      >
        {link === null ? (
          <Choices
            ways={ways}
            onBegin={(way) => void begin.run(way)}
            onWords={() => setEntering(true)}
            onStartOver={() => setOverOpen(true)}
            onDone={onClose}
          />
        ) : (
          <LinkSteps link={link} onClose={close} onAgain={() => void cancel.run()} />
        )}
      </Dialog>
      <StartOverDialog open={overOpen} onCancel={() => setOverOpen(false)} onDone={onClose} />
    </>
  );
}

interface ChoicesProps {
  ways: Ways | null;
  onBegin: (way: 'code' | 'digits') => void;
  onWords: () => void;
  onStartOver: () => void;
  onDone: () => void;
}

function Choices({ ways, onBegin, onWords, onStartOver, onDone }: ChoicesProps) {
  const { t } = useTexts(keysTexts);
  const nameOf = useKeyDeviceName();
  const seeds = ways?.passkeys ?? [];
  const passkey = useRestoreByPasskey(seeds, onDone);
  return (
    <ul className="-mx-2 flex flex-col">
      {ways?.hasOtherDevices && (
        <>
          <Choice icon={<QrCodeIcon />} title="code" onSelect={() => onBegin('code')} />
          <Choice icon={<Hash />} title="digits" onSelect={() => onBegin('digits')} />
        </>
      )}
      {ways?.hasRecovery && <Choice icon={<ScrollText />} title="words" onSelect={onWords} />}
      {seeds.length > 0 && canUsePasskeyPrf() && (
        <Choice icon={<Fingerprint />} title="passkey" onSelect={() => void passkey.run()} />
      )}
      <Choice icon={<RefreshCw />} title="over" onSelect={onStartOver}>
        {ways?.hasOtherDevices || ways?.hasRecovery ? t('keys:setUp.overHint') : undefined}
      </Choice>
      <ConfirmDialog
        open={passkey.newer !== undefined}
        onCancel={passkey.cancel}
        title={t('keys:newer.title')}
        text={`${t('keys:newer.restore', { device: nameOf(passkey.newer?.deviceName ?? '') })} ${t('keys:newer.meaning')}`}
        confirmLabel={t('keys:newer.goOn')}
        onConfirm={passkey.setAside}
      />
    </ul>
  );
}

interface ChoiceProps {
  icon: ReactNode;
  title: 'code' | 'digits' | 'words' | 'passkey' | 'over';
  onSelect: () => void;
  children?: ReactNode;
}

function Choice({ icon, title, onSelect, children }: ChoiceProps) {
  const { t } = useTexts(keysTexts);
  const hint = title === 'over' ? children : t(`keys:setUp.${title}Hint`);
  return (
    <li>
      <button
        type="button"
        onClick={onSelect}
        className="tap flex min-h-14 w-full items-center gap-3 rounded-control px-2 py-1.5 text-start hover:bg-hover"
      >
        <span
          aria-hidden="true"
          className="flex size-10 shrink-0 items-center justify-center rounded-full bg-sunken text-muted [&_svg]:size-[18px]"
        >
          {icon}
        </span>
        <span className="min-w-0 flex-1">
          <span className="block text-14 font-medium">{t(`keys:setUp.${title}`)}</span>
          {hint !== undefined && <span className="block text-13 text-muted">{hint}</span>}
        </span>
        <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted rtl:-scale-x-100" />
      </button>
    </li>
  );
}

interface StartOverDialogProps {
  open: boolean;
  onCancel: () => void;
  onDone: () => void;
}

/** Asks before the account begins a new identity. */
export function StartOverDialog({ open, onCancel, onDone }: StartOverDialogProps) {
  const { t } = useTexts(keysTexts);
  const start = useKeysAction((keys) => keys.startOver(), {
    failure: t('keys:startOver.failed'),
    onDone: () => {
      toast({ kind: 'success', title: t('keys:startOver.done') });
      onCancel();
      onDone();
    },
  });
  return (
    <ConfirmDialog
      open={open}
      onCancel={onCancel}
      title={t('keys:startOver.title')}
      text={t('keys:startOver.text')}
      confirmLabel={t('keys:startOver.confirm')}
      onConfirm={() => start.run()}
    />
  );
}
