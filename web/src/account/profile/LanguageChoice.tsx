import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import type { Language } from '../../i18n/language.ts';
import { languages, languageStorageKey } from '../../i18n/language.ts';
import { configStore } from '../../session/config.ts';
import { Select } from '../../ui/Select.tsx';

/** Keeps the choice and opens the app anew in it: every room has its words in one language. */
function choose(language: Language): void {
  localStorage.setItem(languageStorageKey, language);
  const address = new URL(location.href);
  address.searchParams.delete('lang');
  location.assign(address);
}

/** The language of the app on this device. A demo can also show how the app looks from right to left, which says that it is no translation. */
export function LanguageChoice() {
  const { t, i18n } = useTranslation();
  const demo = useStore(configStore, ({ config }) => config?.demoMode === true);
  const current = languages.find((language) => language === i18n.language) ?? 'en';
  const offered = languages.filter((language) => demo || language === current || !language.includes('pseudo'));
  return (
    <Select<Language>
      className="mt-4"
      label={t('profile.language')}
      hint={t('profile.languageHint')}
      value={current}
      onValueChange={choose}
      options={offered.map((value) => ({ value, label: t(`profile.languages.${value}`) }))}
    />
  );
}
