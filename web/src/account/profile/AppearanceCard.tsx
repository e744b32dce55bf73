import { Monitor, Moon, Rows3, Rows4, Sun } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { useMediaQuery } from '../../shell/useMediaQuery.ts';
import type { Density } from '../../ui/density.ts';
import { chooseDensity, densityOf, densityChanges } from '../../ui/density.ts';
import type { Theme } from '../../ui/theme.ts';
import { themeStore } from '../../ui/theme.ts';
import type { TextSize } from '../../ui/textSize.ts';
import { chooseTextSize, textSizeOf, textSizes, textSizeChanges } from '../../ui/textSize.ts';
import { Card } from '../../ui/Card.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { LanguageSelect } from './LanguageSelect.tsx';

/**
 * Appearance settings: light, dark or the system's; text size; density if there is room to choose; and the language.
 */
export function AppearanceCard() {
  const { t } = useTranslation();
  const theme = useStore(themeStore, (state) => state.theme);
  const density = useSyncExternalStore(densityChanges.subscribe, () => densityOf(document.documentElement));
  const textSize = useSyncExternalStore(textSizeChanges.subscribe, () => textSizeOf(document.documentElement));
  const roomy = useMediaQuery('(width >= 64rem) and (pointer: fine)');
  return (
    <Card title={t('profile.appearance')}>
      <Caption>{t('profile.theme')}</Caption>
      <Segmented<Theme>
        label={t('profile.theme')}
        value={theme}
        onValueChange={(chosen) => themeStore.getState().choose(chosen)}
        options={[
          { value: 'system', label: t('profile.themeSystem'), icon: <Monitor /> },
          { value: 'light', label: t('profile.themeLight'), icon: <Sun /> },
          { value: 'dark', label: t('profile.themeDark'), icon: <Moon /> },
        ]}
      />
      <Caption>{t('profile.textSize')}</Caption>
      <Segmented<TextSize>
        label={t('profile.textSize')}
        value={textSize}
        onValueChange={(chosen) => chooseTextSize(chosen, document.documentElement, localStorage)}
        options={textSizes.map((size) => ({ value: size, label: t(`profile.textSizes.${size}`) }))}
      />
      {roomy && (
        <>
          <Caption>{t('profile.density')}</Caption>
          <Segmented<Density>
            label={t('profile.density')}
            value={density}
            onValueChange={(chosen) => chooseDensity(chosen, document.documentElement, localStorage)}
            options={[
              { value: 'comfortable', label: t('profile.comfortable'), icon: <Rows3 /> },
              { value: 'compact', label: t('profile.compact'), icon: <Rows4 /> },
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
