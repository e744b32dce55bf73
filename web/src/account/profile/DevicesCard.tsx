import { routes, type Session } from '@nolo/api';
import { Globe, Laptop, LogOut, Plus, Smartphone, Tablet, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api/httpClient.ts';
import { queryKeys, useSessions } from '../../api/queries.ts';
import { useLocale } from '../../i18n/locale.ts';
import { keysTexts } from '../../keys/keysTexts.ts';
import { toDeviceRows, type DeviceRow } from '../../keys/model/deviceRows.ts';
import { useDescribeDevice } from '../../keys/useDescribeDevice.ts';
import { useKeyDeviceName } from '../../keys/useKeyDeviceName.ts';
import { useKeysState } from '../../keys/useKeys.ts';
import { toast } from '../../ui/toasts.ts';
import { useAction } from '../../ui/useAction.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { lazyDialog } from '../../ui/lazyDialog.tsx';
import { QueryPlaceholder } from '../../ui/QueryPlaceholder.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useNow } from '../../shell/useNow.ts';
import { deviceName, formatPlace } from '@nolo/rules';
import { formatTimeSince } from '../../i18n/relativeTime.ts';
import { useTexts } from '../../i18n/texts.ts';
import { profileTexts } from './profileTexts.ts';

const AddDeviceDialog = lazyDialog(async () => (await import('../../keys/AddDeviceDialog.tsx')).AddDeviceDialog);
const RemoveDeviceDialog = lazyDialog(
  async () => (await import('../../keys/RemoveDeviceDialog.tsx')).RemoveDeviceDialog,
);

type Ending = DeviceRow | 'others';

/** Devices of the account: where the user is signed in, which of them have keys, and how to add and remove them. */
export function DevicesCard() {
  const { t } = useTexts(profileTexts, keysTexts);
  const query = useSessions();
  const { phase, state } = useKeysState();
  const [ending, setEnding] = useState<Ending | null>(null);
  const [adding, setAdding] = useState(false);
  const isReady = phase.name === 'ready';
  const devices = state?.devices ?? [];
  const rows = query.data && toDeviceRows(query.data, devices);
  const others = query.data?.some(({ current }) => !current) === true;
  const keyless = isReady ? (rows ?? []).filter(({ device }) => device === null).length : 0;
  const removed = ending !== null && ending !== 'others' && isReady && ending.device?.removable ? ending.device : null;
  return (
    <Card title={t('profile:devices')} description={`${t('profile:devicesText')} ${t('keys:about')}`}>
      {rows === undefined ? (
        <QueryPlaceholder query={query} failed={t('profile:devicesFailed')}>
          <div className="flex h-14 items-center gap-3" aria-busy="true">
            <Skeleton className="size-10 rounded-full" />
            <span className="flex-1">
              <Skeleton className="h-3.5 w-2/5" />
              <Skeleton className="mt-2 h-3 w-1/4" />
            </span>
          </div>
        </QueryPlaceholder>
      ) : (
        <ul className="flex flex-col gap-1">
          {rows.map((row) => (
            <Device key={row.id} row={row} rows={rows} isReady={isReady} onEnd={() => setEnding(row)} />
          ))}
        </ul>
      )}
      {keyless > 0 && <p className="mt-3 text-13 text-muted">{t('keys:noKeysHint', { count: keyless })}</p>}
      {(isReady || others) && (
        <div className="mt-3 flex flex-wrap gap-2">
          {isReady && (
            <Button kind="secondary" size="small" icon={<Plus />} onClick={() => setAdding(true)}>
              {t('keys:add.open')}
            </Button>
          )}
          {others && (
            <Button
              kind="secondary"
              size="small"
              icon={<LogOut className="rtl:-scale-x-100" />}
              onClick={() => setEnding('others')}
            >
              {t('profile:signOutOthers')}
            </Button>
          )}
        </div>
      )}
      {adding && <AddDeviceDialog onClose={() => setAdding(false)} />}
      {removed !== null && <RemoveDeviceDialog device={removed} devices={devices} onClose={() => setEnding(null)} />}
      <SignOutDialog ending={removed === null ? ending : null} isReady={isReady} onClose={() => setEnding(null)} />
    </Card>
  );
}

interface SignOutDialogProps {
  ending: Ending | null;
  /** True if this device knows the keys, so that it can say what becomes of them. */
  isReady: boolean;
  onClose: () => void;
}

/** Asks before one session ends, or all others. Devices that this one may remove are removed in another dialog. */
function SignOutDialog({ ending, isReady, onClose }: SignOutDialogProps) {
  const { t } = useTexts(profileTexts, keysTexts);
  const end = useAction(
    (which: Session | 'others'): Promise<unknown> =>
      which === 'others' ? call(routes.endOtherSessions) : call(routes.endSession, { params: { id: which.id } }),
    {
      invalidates: [queryKeys.sessions],
      failure: t('profile:signOutFailed'),
      onDone: (_, which) => {
        toast({
          kind: 'success',
          title: which === 'others' ? t('profile:othersSignedOut') : t('profile:signedOutOne'),
        });
        onClose();
      },
    },
  );
  const isSenior = isReady && ending !== null && ending !== 'others' && ending.device !== null;
  return (
    <ConfirmDialog
      open={ending !== null}
      onCancel={onClose}
      title={ending === 'others' ? t('profile:signOutOthersTitle') : t('profile:signOutOneTitle')}
      text={isSenior ? `${t('profile:signOutText')} ${t('keys:row.senior')}` : t('profile:signOutText')}
      confirmLabel={t('profile:signOut')}
      onConfirm={async () => {
        const which = ending === 'others' ? ending : ending?.session;
        if (which) await end.run(which);
      }}
    />
  );
}

const icons = { phone: Smartphone, tablet: Tablet, computer: Laptop, other: Globe };

interface DeviceProps {
  row: DeviceRow;
  rows: readonly DeviceRow[];
  isReady: boolean;
  onEnd: () => void;
}

function Device({ row, rows, isReady, onEnd }: DeviceProps) {
  const { t } = useTexts(profileTexts, keysTexts);
  const { session, device } = row;
  const userAgent = session?.userAgent ?? device?.name ?? '';
  const Icon = icons[deviceName(userAgent).kind];
  const name = useKeyDeviceName()(userAgent);
  const describe = useDescribeDevice(rows.flatMap((one) => one.device ?? []));
  const suspended = device && describe.suspended(device);
  // A session that ended is no longer there to log out, so only its keys can go.
  const canEnd = !row.current && (session !== null || (isReady && device?.removable === true));
  return (
    <li className="flex min-h-14 items-center gap-3 py-1">
      <span
        aria-hidden="true"
        className="flex size-10 shrink-0 items-center justify-center self-start rounded-full bg-sunken text-muted"
      >
        <Icon className="size-[18px]" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-14 font-medium">
          {name}
          {row.current && <Badge tone="accent">{t('profile:thisDevice')}</Badge>}
          {isReady && device === null && <Badge>{t('keys:row.noKeys')}</Badge>}
        </span>
        <LastUse row={row} />
        {device && <span className="block text-12 text-muted">{describe.added(device)}</span>}
        {suspended !== null && <span className="block text-12 text-warning-text">{suspended}</span>}
      </span>
      {canEnd && (
        <IconButton
          label={t(session === null ? 'keys:row.remove' : 'profile:signOutDevice', { device: name })}
          icon={session === null ? <Trash2 /> : <LogOut className="rtl:-scale-x-100" />}
          onClick={onEnd}
        />
      )}
    </li>
  );
}

/** Describes how, when, and where a device was last used. */
function LastUse({ row: { session, device, current } }: { row: DeviceRow }) {
  const { t } = useTexts(profileTexts);
  const locale = useLocale();
  const now = useNow();
  const { place = null, network = null, lastUsedAt = null } = session ?? device ?? {};
  const where = place ? formatPlace(place, locale) : network && t('profile:network', { network });
  const parts = [
    session && <span key="method">{t(`profile:methods.${session.method}`)}</span>,
    lastUsedAt !== null && (
      <time key="used" dateTime={lastUsedAt} title={new Date(lastUsedAt).toLocaleString(locale)}>
        {current
          ? t('profile:activeNow')
          : t('profile:lastActive', { time: formatTimeSince(Date.parse(lastUsedAt), now, t, 'inSentence') })}
      </time>
    ),
    where && (
      <bdi key="where" title={network ?? undefined}>
        {where}
      </bdi>
    ),
  ].filter((part) => part !== null && part !== false && part !== '');
  return (
    <span className="block text-13 text-muted">
      {parts.flatMap((part, index) => (index === 0 ? [part] : [' · ', part]))}
    </span>
  );
}
