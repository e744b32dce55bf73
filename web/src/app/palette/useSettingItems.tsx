import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useStore } from 'zustand';
import { enFactor } from '../../account/factor/enFactor.ts';
import { enProfile } from '../../account/profile/enProfile.ts';
import { settingsAddress, listSettingsCategories } from '../../account/profile/settingsCategories.ts';
import { enSecurity } from '../../account/security/enSecurity.ts';
import { addWords } from '../../i18n/i18n.ts';
import { featureStore } from '../../session/features.ts';
import { useSelf } from '../../session/self.ts';
import { useArePlansSold } from '../../session/useArePlansSold.ts';
import { findPaletteEntries } from './model/paletteEntries.ts';
import type { PaletteGroup } from './paletteGroups.ts';

const maxItems = 5;

/** Finds the categories of settings, and the content of their pages. */
export function useSettingItems(typed: string): PaletteGroup {
  const { t, i18n } = useTranslation();
  addWords(i18n, 'profile', enProfile);
  addWords(i18n, 'security', enSecurity);
  addWords(i18n, 'factor', enFactor);
  const navigate = useNavigate();
  const { operator } = useSelf();
  const sells = useArePlansSold();
  const meetings = useStore(featureStore, ({ features }) => features['meetings'] === true);
  const pushes = useStore(featureStore, ({ features }) => features['push'] === true);
  const title = t('palette.settings');
  if (typed.trim() === '') return { id: 'settings', title, items: [] };
  const all = listSettingsCategories(t, { sells, meetings, pushes, operator }).flatMap(
    ({ page, title: category, holds, Icon }) => {
      const shared = { page, icon: <Icon aria-hidden="true" /> };
      return [
        { ...shared, id: `settings ${page}`, label: category },
        ...[...new Set(holds)].map((label) => ({ ...shared, id: `setting ${page} ${label}`, label, detail: category })),
      ];
    },
  );
  const items = findPaletteEntries(all, typed)
    .slice(0, maxItems)
    .map(({ page, ...item }) => ({ ...item, does: () => void navigate(settingsAddress(page)) }));
  return { id: 'settings', title, items };
}
