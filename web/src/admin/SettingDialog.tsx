import type { AdminSetting } from '@nolo/api';
import { normalizeSettingValue } from '@nolo/rules';
import { useState } from 'react';
import { FormDialog } from '../ui/FormDialog.tsx';
import { Select } from '../ui/Select.tsx';
import { TextField } from '../ui/TextField.tsx';
import { toast } from '../ui/toasts.ts';
import { useInstallationSettingActions } from './adminQueries.ts';
import { useSettingWords } from './useSettingWords.ts';

/** Changes a setting of the whole installation. */
export function SettingDialog({ setting, onClose }: { setting: AdminSetting; onClose: () => void }) {
  const { t, titleOf, valueText } = useSettingWords();
  const { change } = useInstallationSettingActions();
  const { name, kind, options = ['on', 'off'], min = 0, max = 0 } = setting;
  const [value, setValue] = useState(setting.value ?? options[0] ?? '');
  const [hasSubmitted, setHasSubmitted] = useState(false);
  const right = normalizeSettingValue(name, value);

  const send = async () => {
    setHasSubmitted(true);
    if (right === undefined || !(await change(name, right))) return;
    toast({ kind: 'success', title: t('admin.settingDone') });
    onClose();
  };

  return (
    <FormDialog
      size="small"
      title={titleOf(name)}
      description={t(`admin.settingHints.${name}`)}
      waits
      submitLabel={t('admin.settingSet')}
      onClose={onClose}
      onSubmit={send}
    >
      {kind === 'amount' ? (
        <TextField
          label={t('admin.settingValue')}
          hint={t('admin.settingRange', { min, max })}
          error={hasSubmitted && right === undefined ? t('admin.settingRange', { min, max }) : null}
          inputMode="numeric"
          autoComplete="off"
          maxLength={9}
          value={value}
          onChange={(event) => setValue(event.target.value)}
        />
      ) : (
        <Select<string>
          label={t('admin.settingValue')}
          value={value}
          onValueChange={setValue}
          options={options.map((option) => ({ value: option, label: valueText(setting, option) }))}
        />
      )}
    </FormDialog>
  );
}
