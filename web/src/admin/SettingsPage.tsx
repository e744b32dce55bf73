import type { AdminSetting } from '@nolo/api';
import { useState } from 'react';
import { useLocale } from '../i18n/locale.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { toast } from '../ui/toasts.ts';
import { useInstallationSettingActions, useInstallationSettings } from './adminQueries.ts';
import { formatMoment } from './formatMoment.ts';
import { SettingDialog } from './SettingDialog.tsx';
import { useSettingWords } from './useSettingWords.ts';

/**
 * Settings that operators change while the installation runs: the present value, since when, and the configured one.
 */
export function SettingsPage() {
  const { t } = useSettingWords();
  const { data, isError, isFetching, refetch } = useInstallationSettings();
  const [changed, setChanged] = useState<AdminSetting | null>(null);
  if (!data) {
    return isError ? (
      <ErrorState title={t('admin.loadFailed')} retrying={isFetching} onRetry={() => void refetch()} />
    ) : (
      <SkeletonRows label={t('admin.loading')} />
    );
  }
  return (
    <>
      <p className="text-14 text-muted">{t('admin.changeableText')}</p>
      <Card title={t('admin.changeable')}>
        <ul className="flex flex-col divide-y divide-line">
          {data.map((setting) => (
            <SettingRow key={setting.name} setting={setting} onChange={() => setChanged(setting)} />
          ))}
        </ul>
      </Card>
      {changed && <SettingDialog setting={changed} onClose={() => setChanged(null)} />}
    </>
  );
}

function SettingRow({ setting, onChange }: { setting: AdminSetting; onChange: () => void }) {
  const { t, titleOf, valueText } = useSettingWords();
  const locale = useLocale();
  const { change } = useInstallationSettingActions();
  const [busy, setBusy] = useState(false);
  const { name, value, isSet, configured, variable, changedAt } = setting;
  const reset = async () => {
    setBusy(true);
    const done = await change(name, null);
    setBusy(false);
    if (done) toast({ kind: 'success', title: t('admin.settingReset') });
  };
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3 text-13">
      <div className="min-w-48 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-14 font-medium">
          <span className="min-w-0 wrap-anywhere">{titleOf(name)}</span>
          <Badge tone={isSet ? 'accent' : 'neutral'}>{valueText(setting, value)}</Badge>
        </p>
        <p className="mt-0.5 text-muted">{t(`admin.settingHints.${name}`)}</p>
        <p className="tabular mt-0.5 text-muted">
          {isSet && changedAt !== null
            ? t('admin.settingSince', { date: formatMoment(changedAt, locale), value: valueText(setting, configured) })
            : variable === null
              ? t('admin.byVersion')
              : t('admin.settingBy', { variable })}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {isSet && (
          <Button kind="quiet" size="small" busy={busy} onClick={() => void reset()}>
            {t('admin.settingResetButton')}
          </Button>
        )}
        <Button
          kind="secondary"
          size="small"
          aria-label={t('admin.settingChangeOf', { name: titleOf(name) })}
          onClick={onChange}
        >
          {t('admin.settingChange')}
        </Button>
      </div>
    </li>
  );
}
