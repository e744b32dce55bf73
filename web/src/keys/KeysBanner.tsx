import type { KeyNotice, KeysState, LinkRequest } from '@nolo/client/keys/types';
import { KeyRound, MonitorSmartphone, ShieldAlert, X } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useStore } from 'zustand';
import { useSecurityNotices } from '../api/queries.ts';
import { useTexts } from '../i18n/texts.ts';
import { Banner } from '../ui/Banner.tsx';
import { Button, buttonClasses } from '../ui/Button.tsx';
import { lazyDialog } from '../ui/lazyDialog.tsx';
import { PlainIconButton } from '../ui/PlainIconButton.tsx';
import { keysTexts } from './keysTexts.ts';
import { askedOnce, putAway } from './model/askedOnce.ts';
import { keysStore } from './model/keysStore.ts';
import { useKeyDeviceName } from './useKeyDeviceName.ts';
import { useKeysAction } from './useKeys.ts';

const SetUpDialog = lazyDialog(async () => (await import('./SetUpDialog.tsx')).SetUpDialog);
const AddDeviceDialog = lazyDialog(async () => (await import('./AddDeviceDialog.tsx')).AddDeviceDialog);
const RecoveryDialog = lazyDialog(async () => (await import('./RecoveryDialog.tsx')).RecoveryDialog);

interface Reported {
  readonly kind: string;
  readonly createdAt: string;
}

type Content =
  | { readonly kind: 'blocked'; readonly reason: 'fork' | 'old' | 'version' }
  | { readonly kind: 'newer'; readonly deviceName: string }
  | { readonly kind: 'fork' | 'removed' | 'recovery' }
  | { readonly kind: 'restart'; readonly deviceName: string }
  | { readonly kind: 'setUp'; readonly alone: boolean }
  | { readonly kind: 'request'; readonly request: LinkRequest }
  | { readonly kind: 'notice'; readonly notice: KeyNotice };

/** Difference in milliseconds between two times of one change, by this device's and by the server's account. */
const sameChangeMs = 600_000;

/** Returns true if the server's own notice of the same change is or was shown. */
function isReported({ kind, at }: KeyNotice, reported: readonly Reported[]): boolean {
  return reported.some(
    (one) => one.kind === kind && Math.abs(Date.parse(one.createdAt) - Date.parse(at)) < sameChangeMs,
  );
}

/** Returns the most urgent thing to say about this device's keys. */
function chooseBanner(
  { phase, requests, notices, recovery, forkQuestion, newerList, restart }: KeysState,
  asked: { readonly setUp: boolean; readonly recovery: boolean },
  hasMessages: boolean,
  reported: readonly Reported[],
): Content | null {
  if (forkQuestion !== undefined) return { kind: 'fork' };
  if (phase.name === 'blocked' && phase.reason === 'old' && newerList)
    return { kind: 'newer', deviceName: newerList.deviceName };
  if (phase.name === 'blocked') return { kind: 'blocked', reason: phase.reason };
  if (phase.name === 'removed') return { kind: 'removed' };
  if (phase.name === 'ready' && restart?.isDeclined === false)
    return { kind: 'restart', deviceName: restart.deviceName };
  const [request] = requests;
  if (request !== undefined) return { kind: 'request', request };
  // Notices of signed lists also appear if the server says nothing of the change.
  const notice = notices.find((one) => !isReported(one, reported));
  if (notice !== undefined) return { kind: 'notice', notice };
  if (phase.name === 'unlinked' && !asked.setUp) {
    return { kind: 'setUp', alone: !phase.hasOtherDevices && !phase.hasRecovery };
  }
  const mayAsk = phase.name === 'ready' && !recovery.isSet && recovery.maySet;
  return mayAsk && hasMessages && !asked.recovery ? { kind: 'recovery' } : null;
}

/** Line at the top about this device's keys: one thing at a time. `hasMessages`: the user has a conversation. */
export function KeysBanner({ hasMessages }: { hasMessages: boolean }) {
  const state = useStore(keysStore, (store) => store.state);
  const asked = useStore(askedOnce);
  const { data } = useSecurityNotices();
  const reported = data?.pages[0]?.items ?? [];
  const [open, setOpen] = useState<'setUp' | 'add' | 'recovery' | null>(null);
  const { pathname } = useLocation();
  const content = state === null ? null : chooseBanner(state, asked, hasMessages, reported);
  // The page of devices has a card for each of these.
  const kinds: readonly (string | undefined)[] = [
    'setUp',
    'recovery',
    'fork',
    'newer',
    'blocked',
    'removed',
    'restart',
  ];
  const isOnPage = pathname === '/settings/devices' && kinds.includes(content?.kind);
  // A question that can wait must not move the messages that the user reads.
  const waits = content?.kind === 'recovery' && pathname.startsWith('/chat/');
  return (
    <>
      {content !== null && !isOnPage && !waits && open === null && <Line content={content} onOpen={setOpen} />}
      {open === 'setUp' && <SetUpDialog onClose={() => setOpen(null)} />}
      {open === 'add' && <AddDeviceDialog onClose={() => setOpen(null)} />}
      {open === 'recovery' && (
        <RecoveryDialog
          renews={false}
          onClose={() => {
            putAway('recovery');
            setOpen(null);
          }}
        />
      )}
    </>
  );
}

interface LineProps {
  content: Content;
  onOpen: (what: 'setUp' | 'add' | 'recovery') => void;
}

function Line({ content, onOpen }: LineProps) {
  const { t } = useTexts(keysTexts);
  const nameOf = useKeyDeviceName();
  const dismissal = useKeysAction((keys, id: string) => keys.dismissNotice(id), { failure: () => undefined });
  const dismissButton = (onClick: () => void) => (
    <PlainIconButton size="small" label={t('common.dismiss')} icon={<X />} onClick={onClick} />
  );
  const button = (label: string, what: Parameters<LineProps['onOpen']>[0]) => (
    <Button size="small" kind="secondary" onClick={() => onOpen(what)}>
      {label}
    </Button>
  );
  const review = (
    <Link to="/settings/devices" className={buttonClasses({ kind: 'secondary', size: 'small' })}>
      {t('keys:notice.review')}
    </Link>
  );
  switch (content.kind) {
    case 'fork':
      return (
        <Banner tone="danger" icon={<ShieldAlert />} action={review}>
          {t('keys:fork.banner')}
        </Banner>
      );
    case 'blocked':
      return (
        <Banner tone="danger" icon={<ShieldAlert />} action={review}>
          {t(`keys:blocked.banner.${content.reason}`)}
        </Banner>
      );
    case 'newer':
      return (
        <Banner tone="danger" icon={<ShieldAlert />} action={review}>
          {t('keys:newer.blocked', { device: nameOf(content.deviceName) })}
        </Banner>
      );
    case 'removed':
      return (
        <Banner tone="warning" icon={<ShieldAlert />} action={button(t('keys:setUp.open'), 'setUp')}>
          {t('keys:removedHere')}
        </Banner>
      );
    case 'restart':
      return (
        <Banner tone="warning" icon={<ShieldAlert />} action={review}>
          {t('keys:restart.banner', { device: nameOf(content.deviceName) })}
        </Banner>
      );
    case 'request':
      return (
        <Banner tone="info" icon={<MonitorSmartphone />} action={button(t('keys:add.review'), 'add')}>
          {t('keys:add.askedTitle', { device: nameOf(content.request.deviceName) })}
        </Banner>
      );
    case 'notice': {
      const { notice } = content;
      return (
        <Banner
          tone={notice.kind === 'recovery_set' ? 'info' : 'warning'}
          icon={<KeyRound />}
          action={review}
          dismiss={dismissButton(() => void dismissal.run(notice.id))}
        >
          {'deviceName' in notice
            ? t(`keys:notice.${notice.kind}`, { device: nameOf(notice.deviceName) })
            : t(`keys:notice.${notice.kind}`)}
        </Banner>
      );
    }
    case 'setUp':
      return (
        <Banner
          icon={<KeyRound />}
          action={button(t('keys:setUp.open'), 'setUp')}
          dismiss={dismissButton(() => putAway('setUp'))}
        >
          {t(content.alone ? 'keys:setUp.bannerAlone' : 'keys:setUp.banner')}
        </Banner>
      );
    case 'recovery':
      return (
        <Banner
          icon={<KeyRound />}
          action={button(t('keys:recovery.setUp'), 'recovery')}
          dismiss={dismissButton(() => putAway('recovery'))}
        >
          {t('keys:recovery.ask')}
        </Banner>
      );
  }
}
