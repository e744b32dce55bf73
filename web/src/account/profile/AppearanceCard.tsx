import { routes } from '@nolo/api';
import { Monitor, Moon, Rows3, Rows4, Sun } from 'lucide-react';
import { useSyncExternalStore, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { call } from '../../api/httpClient.ts';
import { languages, languageStorageKey, type Language } from '../../i18n/language.ts';
import { storeLanguage, readTimeZone } from '../../session/accountLanguage.ts';
import { configStore } from '../../session/config.ts';
import { useMediaQuery } from '../../shell/useMediaQuery.ts';
import { chooseDensity, densityOf, densityChanges, type Density } from '../../ui/density.ts';
import { themeStore, type Theme } from '../../ui/theme.ts';
import { chooseTextSize, textSizeOf, textSizes, textSizeChanges, type TextSize } from '../../ui/textSize.ts';
import { Card } from '../../ui/Card.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { Select } from '../../ui/Select.tsx';
import { useUpdateSelf } from './useUpdateSelf.ts';
import { useTexts } from '../../i18n/texts.ts';
import { profileTexts } from './profileTexts.ts';

/**
 * Appearance settings: light, dark or the system's; text size; density if there is room to choose; and the language.
 */
export function AppearanceCard() {
  const { t } = useTexts(profileTexts);
  const theme = useStore(themeStore, (state) => state.theme);
  const density = useSyncExternalStore(densityChanges.subscribe, () => densityOf(document.documentElement));
  const textSize = useSyncExternalStore(textSizeChanges.subscribe, () => textSizeOf(document.documentElement));
  const roomy = useMediaQuery('(width >= 64rem) and (pointer: fine)');
  return (
    <Card title={t('profile:appearance')}>
      <Caption>{t('profile:theme')}</Caption>
      <Segmented<Theme>
        label={t('profile:theme')}
        value={theme}
        onValueChange={(chosen) => themeStore.getState().choose(chosen)}
        options={[
          { value: 'system', label: t('profile:themeSystem'), icon: <Monitor /> },
          { value: 'light', label: t('profile:themeLight'), icon: <Sun /> },
          { value: 'dark', label: t('profile:themeDark'), icon: <Moon /> },
        ]}
      />
      <Caption>{t('profile:textSize')}</Caption>
      <Segmented<TextSize>
        label={t('profile:textSize')}
        value={textSize}
        onValueChange={(chosen) => chooseTextSize(chosen, document.documentElement, localStorage)}
        options={textSizes.map((size) => ({ value: size, label: t(`profile:textSizes.${size}`) }))}
      />
      {roomy && (
        <>
          <Caption>{t('profile:density')}</Caption>
          <Segmented<Density>
            label={t('profile:density')}
            value={density}
            onValueChange={(chosen) => chooseDensity(chosen, document.documentElement, localStorage)}
            options={[
              { value: 'comfortable', label: t('profile:comfortable'), icon: <Rows3 /> },
              { value: 'compact', label: t('profile:compact'), icon: <Rows4 /> },
            ]}
          />
        </>
      )}
      <LanguageSelect />
    </Card>
  );
}

/** Visible caption of the choice below, which screen readers announce with its options. */
function Caption({ children }: { children: ReactNode }) {
  return (
    <p aria-hidden="true" className="mb-1.5 text-14 font-medium not-first:mt-4">
      {children}
    </p>
  );
}

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
function LanguageSelect() {
  const { t, i18n } = useTexts(profileTexts);
  const update = useUpdateSelf();
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
      const save = () => call(routes.updateProfile, { body });
      if (!(await update.run({ change: { language: choice }, save }))) return;
    }
    storeLanguage(choice === 'device' ? null : choice);
    openAnew();
  };

  return (
    <Select<Choice>
      className="mt-4"
      label={t('profile:language')}
      hint={t('profile:languageHint')}
      value={current}
      onValueChange={(choice) => void choose(choice)}
      options={offered.map((value) => ({ value, label: t(`profile:languages.${value}`) }))}
    />
  );
}
