import { routes, type AdminSetting } from '@nolo/api';
import { normalizeSettingValue, type RegistrationPolicy } from '@nolo/rules';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocale } from '../i18n/locale.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { FormDialog } from '../ui/FormDialog.tsx';
import { QueryPlaceholder } from '../ui/QueryPlaceholder.tsx';
import { Select } from '../ui/Select.tsx';
import { TextField } from '../ui/TextField.tsx';
import { toast } from '../ui/toasts.ts';
import { useAction } from '../ui/useAction.ts';
import { useTexts } from '../i18n/texts.ts';
import { adminTexts } from './adminTexts.ts';
import { adminKeys, useAdminQuery, useOperatorActionOptions } from './adminQueries.ts';
import { formatMoment } from './formatMoment.ts';

/**
 * Settings that operators change while the installation runs: the present value, since when, and the configured one.
 */
export function SettingsPage() {
  const { t } = useSettingWords();
  const query = useAdminQuery(routes.listSettings, adminKeys.settings);
  const [changed, setChanged] = useState<AdminSetting | null>(null);
  if (!query.data)
    return <QueryPlaceholder className="" query={query} failed={t('admin:loadFailed')} loading={t('admin:loading')} />;
  return (
    <>
      <p className="text-14 text-muted">{t('admin:changeableText')}</p>
      <Card title={t('admin:changeable')}>
        <ul className="flex flex-col divide-y divide-line">
          {query.data.map((setting) => (
            <SettingRow key={setting.name} setting={setting} onChange={() => setChanged(setting)} />
          ))}
        </ul>
      </Card>
      {changed && <SettingDialog setting={changed} onClose={() => setChanged(null)} />}
    </>
  );
}

/** Changes a setting; null restores the configured value. */
function useChangeSetting() {
  const queryClient = useQueryClient();
  return useAction(routes.changeSetting, {
    ...useOperatorActionOptions(),
    onDone: (all) => queryClient.setQueryData(adminKeys.settings, all),
  });
}

function SettingRow({ setting, onChange }: { setting: AdminSetting; onChange: () => void }) {
  const { t, titleOf, valueText } = useSettingWords();
  const locale = useLocale();
  const change = useChangeSetting();
  const { name, value, isSet, configured, variable, changedAt } = setting;
  const reset = async () => {
    const done = await change.run({ params: { name }, body: { value: null } });
    if (done) toast({ kind: 'success', title: t('admin:settingReset') });
  };
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3 text-13">
      <div className="min-w-48 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-14 font-medium">
          <span className="min-w-0 wrap-anywhere">{titleOf(name)}</span>
          <Badge tone={isSet ? 'accent' : 'neutral'}>{valueText(setting, value)}</Badge>
        </p>
        <p className="mt-0.5 text-muted">{t(`admin:settingHints.${name}`)}</p>
        <p className="tabular mt-0.5 text-muted">
          {isSet && changedAt !== null
            ? t('admin:settingSince', { date: formatMoment(changedAt, locale), value: valueText(setting, configured) })
            : variable === null
              ? t('admin:byVersion')
              : t('admin:settingBy', { variable })}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {isSet && (
          <Button kind="quiet" size="small" busy={change.busy} onClick={() => void reset()}>
            {t('admin:settingResetButton')}
          </Button>
        )}
        <Button
          kind="secondary"
          size="small"
          aria-label={t('admin:settingChangeOf', { name: titleOf(name) })}
          onClick={onChange}
        >
          {t('admin:settingChange')}
        </Button>
      </div>
    </li>
  );
}

/** Changes a setting of the whole installation. */
function SettingDialog({ setting, onClose }: { setting: AdminSetting; onClose: () => void }) {
  const { t, titleOf, valueText } = useSettingWords();
  const change = useChangeSetting();
  const { name, kind, options = ['on', 'off'], min = 0, max = 0 } = setting;
  const [value, setValue] = useState(setting.value ?? options[0] ?? '');
  const [hasSubmitted, setHasSubmitted] = useState(false);
  const right = normalizeSettingValue(name, value);

  const send = async () => {
    setHasSubmitted(true);
    if (right === undefined || !(await change.run({ params: { name }, body: { value: right } }))) return;
    toast({ kind: 'success', title: t('admin:settingDone') });
    onClose();
  };

  return (
    <FormDialog
      size="small"
      title={titleOf(name)}
      description={t(`admin:settingHints.${name}`)}
      waits
      submitLabel={t('admin:settingSet')}
      onClose={onClose}
      onSubmit={send}
    >
      {kind === 'amount' ? (
        <TextField
          label={t('admin:settingValue')}
          hint={t('admin:settingRange', { min, max })}
          error={hasSubmitted && right === undefined ? t('admin:settingRange', { min, max }) : null}
          inputMode="numeric"
          autoComplete="off"
          maxLength={9}
          value={value}
          onChange={(event) => setValue(event.target.value)}
        />
      ) : (
        <Select<string>
          label={t('admin:settingValue')}
          value={value}
          onValueChange={setValue}
          options={options.map((option) => ({ value: option, label: valueText(setting, option) }))}
        />
      )}
    </FormDialog>
  );
}

/** Returns the names and formatted values of settings. */
function useSettingWords() {
  const { t } = useTexts(adminTexts);
  return {
    t,
    titleOf: (name: AdminSetting['name']): string => t(`admin:settingNames.${name}`),
    valueText({ name, kind }: AdminSetting, value: string | null): string {
      if (value === null) return t('admin:settingUnknown');
      if (kind === 'switch') return value === 'on' ? t('admin:on') : t('admin:off');
      if (kind === 'choice') return t(`admin:registrations.${value as RegistrationPolicy}`);
      return name === 'messagesKeptDays' && value === '0' ? t('admin:settingForEver') : value;
    },
  };
}
