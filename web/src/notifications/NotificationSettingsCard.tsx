import { routes, type RouteBodyInput, type NotificationSettings } from '@nolo/api';
import { pushKinds } from '@nolo/rules';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useStore } from 'zustand';
import { call } from '../api/httpClient.ts';
import { useExplainFailure } from '../i18n/useExplainFailure.ts';
import { Card } from '../ui/Card.tsx';
import { QueryPlaceholder } from '../ui/QueryPlaceholder.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { Switch } from '../ui/Switch.tsx';
import { TextField } from '../ui/TextField.tsx';
import { useAction } from '../ui/useAction.ts';
import {
  computePushState,
  pushStore,
  refreshPushState,
  turnOffPush,
  turnOnPush,
  type PushState,
} from './model/subscribe.ts';
import { useTexts } from '../i18n/texts.ts';
import { pushTexts } from './pushTexts.ts';

const settingsKey = ['notificationSettings'] as const;
const defaultQuietHours = { from: '22:00', to: '07:00' };

/** Notification settings: on or off for this device, and what, how, and when for all devices. */
export function NotificationSettingsCard() {
  const { t } = useTexts(pushTexts);
  return (
    <Card title={t('push:title')} description={t('push:text')}>
      <div className="flex flex-col divide-y divide-line [&>*]:py-3 [&>*:first-child]:pt-0 [&>*:last-child]:pb-0">
        <DeviceSwitch />
        <AccountSettings />
      </div>
    </Card>
  );
}

function DeviceSwitch() {
  const { t } = useTexts(pushTexts);
  const explain = useExplainFailure();
  const state = useStore(pushStore, (known) => known.state) ?? computePushState();
  const { run, busy } = useAction(
    async (on: boolean) => {
      try {
        await (on ? turnOnPush() : turnOffPush());
      } catch (error) {
        if (on) await turnOffPush().catch(() => {});
        throw error;
      } finally {
        refreshPushState();
      }
    },
    {
      failure: (error, on) => ({
        title: on ? t('push:failed') : t('push:changeFailed'),
        description: error instanceof DOMException ? t('push:away') : explain(error),
      }),
    },
  );
  const hints = {
    unsupported: t('push:unsupported'),
    installFirst: t('push:installFirst'),
    blocked: t('push:blocked'),
    failed: t('push:notKept'),
    off: t('push:hereHint'),
    on: t('push:hereHint'),
  };
  return (
    <Switch
      label={t('push:here')}
      hint={hints[state]}
      checked={state === 'on'}
      disabled={busy || !(['on', 'off', 'failed'] as PushState[]).includes(state)}
      onCheckedChange={(on) => void run(on)}
    />
  );
}

type Change = RouteBodyInput<typeof routes.updateNotificationSettings>;

function useNotificationSettings() {
  const { t } = useTexts(pushTexts);
  const queryClient = useQueryClient();
  const query = useQuery({ queryKey: settingsKey, queryFn: () => call(routes.getNotificationSettings) });
  const { run: change } = useAction(
    async (body: Change) => {
      await queryClient.cancelQueries({ queryKey: settingsKey });
      const before = queryClient.getQueryData<NotificationSettings>(settingsKey);
      queryClient.setQueryData<NotificationSettings>(settingsKey, (known) => known && { ...known, ...body });
      try {
        queryClient.setQueryData(settingsKey, await call(routes.updateNotificationSettings, { body }));
      } catch (error) {
        queryClient.setQueryData(settingsKey, before);
        throw error;
      }
    },
    { failure: t('push:changeFailed') },
  );
  return { query, change };
}

function AccountSettings() {
  const { t } = useTexts(pushTexts);
  const { query, change } = useNotificationSettings();
  const settings = query.data;
  if (!settings) {
    return (
      <QueryPlaceholder className="" query={query} failed={t('push:loadFailed')}>
        <div aria-busy="true" className="flex flex-col gap-3">
          {pushKinds.map((kind) => (
            <Skeleton key={kind} className="h-6 w-full" />
          ))}
        </div>
      </QueryPlaceholder>
    );
  }
  const { kinds } = settings;
  const names = Object.keys(pushTexts.english.kind) as (keyof typeof pushTexts.english.kind)[];
  return (
    <>
      <div>
        <p className="text-14 font-medium">{t('push:kinds')}</p>
        <p className="mt-0.5 text-13 text-muted">{t('push:kindsHint')}</p>
        <div className="mt-1">
          {names.map((kind) => (
            <Switch
              key={kind}
              label={t(`push:kind.${kind}`)}
              checked={kinds.includes(kind)}
              onCheckedChange={(on) =>
                void change({ kinds: on ? [...kinds, kind] : kinds.filter((one) => one !== kind) })
              }
            />
          ))}
        </div>
      </div>
      <div>
        <p className="text-14 font-medium">{t('push:appearance')}</p>
        <div className="mt-1">
          {(['preview', 'sound', 'vibration'] as const).map((name) => (
            <Switch
              key={name}
              label={t(`push:${name}`)}
              hint={name === 'preview' ? t('push:previewHint') : undefined}
              checked={settings[name]}
              onCheckedChange={(on) => void change({ [name]: on })}
            />
          ))}
        </div>
      </div>
      <QuietHours hours={settings.quietHours} onChange={(quietHours) => void change({ quietHours })} />
    </>
  );
}

interface QuietHoursProps {
  hours: NotificationSettings['quietHours'];
  onChange: (hours: NotificationSettings['quietHours']) => void;
}

function QuietHours({ hours, onChange }: QuietHoursProps) {
  const { t } = useTexts(pushTexts);
  const set = (field: 'from' | 'to', time: string) => {
    // The time is empty during input, and a period that ends when it starts is invalid.
    if (hours && time !== '' && { ...hours, [field]: time }.from !== { ...hours, [field]: time }.to) {
      onChange({ ...hours, [field]: time });
    }
  };
  return (
    <div>
      <Switch
        label={t('push:quiet')}
        hint={t('push:quietHint')}
        checked={hours !== null}
        onCheckedChange={(on) =>
          onChange(on ? { ...defaultQuietHours, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone } : null)
        }
      />
      {hours && (
        <>
          <div className="mt-1 flex gap-3">
            {(['from', 'to'] as const).map((field) => (
              <TextField
                key={`${field} ${hours[field]}`}
                type="time"
                className="w-36"
                label={field === 'from' ? t('push:quietFrom') : t('push:quietTo')}
                defaultValue={hours[field]}
                onBlur={({ target }) => set(field, target.value)}
              />
            ))}
          </div>
          <p className="mt-1.5 text-13 text-muted">{t('push:quietZone', { zone: hours.timeZone })}</p>
        </>
      )}
    </div>
  );
}
