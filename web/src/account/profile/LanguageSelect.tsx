import { routes } from '@nolo/api';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { call } from '../../api/httpClient.ts';
import type { Language } from '../../i18n/language.ts';
import { languages, languageStorageKey } from '../../i18n/language.ts';
import { storeLanguage, readTimeZone } from '../../session/accountLanguage.ts';
import { configStore } from '../../session/config.ts';
import { Select } from '../../ui/Select.tsx';
import { useUpdateSelf } from './useUpdateSelf.ts';

type Choice = Language | 'device';

/** Reloads the app, because every section has its texts in one language. */
function openAnew(): void {
  const address = new URL(location.href);
  address.searchParams.delete('lang');
  location.assign(address);
}

/**
 * Language of the account, used on all devices and in messages to the user, or each device's own. A demo can also show
 * the right-to-left layout on this device, with a note that it is no translation.
 */
export function LanguageSelect() {
  const { t, i18n } = useTranslation();
  const change = useUpdateSelf();
  const demo = useStore(configStore, ({ config }) => config?.demoMode === true);
  const stored = localStorage.getItem(languageStorageKey);
  const current = languages.find((language) => language === stored) ?? 'device';
  const offered: Choice[] = [
    'device',
    ...languages.filter((language) => demo || language === i18n.language || !language.includes('pseudo')),
  ];

  const choose = async (choice: Choice): Promise<void> => {
    if (choice !== 'ar-x-pseudo') {
      const body = { language: choice, timeZone: readTimeZone() };
      if (!(await change({ language: choice }, () => call(routes.updateProfile, { body })))) return;
    }
    storeLanguage(choice === 'device' ? null : choice);
    openAnew();
  };

  return (
    <Select<Choice>
      className="mt-4"
      label={t('profile.language')}
      hint={t('profile.languageHint')}
      value={current}
      onValueChange={(choice) => void choose(choice)}
      options={offered.map((value) => ({ value, label: t(`profile.languages.${value}`) }))}
    />
  );
}
