import type { AdminSetting } from '@nolo/api';
import type { RegistrationPolicy } from '@nolo/rules';
import { useTexts } from '../i18n/texts.ts';
import { adminTexts } from './adminTexts.ts';

/** Returns the names and formatted values of settings. */
export function useSettingWords() {
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
