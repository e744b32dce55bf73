import { Monitor, Moon, Sun } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import type { Theme } from '../../ui/theme.ts';
import { themeStore } from '../../ui/theme.ts';
import { Card } from '../../ui/Card.tsx';
import { Segmented } from '../../ui/Segmented.tsx';

/** Light, dark, or whatever the system says; and the language. */
export function AppearanceCard() {
  const { t } = useTranslation();
  const theme = useStore(themeStore, (state) => state.theme);
  return (
    <Card title={t('profile.appearance')}>
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
      <dl className="mt-4 flex items-center justify-between gap-4 text-14">
        <dt className="font-medium">{t('profile.language')}</dt>
        <dd className="text-muted">{t('profile.languageName')}</dd>
      </dl>
    </Card>
  );
}
