import { useNavigate } from 'react-router-dom';
import { useStore } from 'zustand';
import { settingsAddress, listSettingsCategories } from '../../account/profile/settingsCategories.ts';
import { featureStore } from '../../session/features.ts';
import { useSelf } from '../../session/self.ts';
import { useArePlansSold } from '../../session/useArePlansSold.ts';
import { findPaletteEntries } from './model/paletteEntries.ts';
import type { PaletteGroup } from './paletteGroups.ts';
import { useTexts } from '../../i18n/texts.ts';
import { factorTexts } from '../../account/factor/factorTexts.ts';
import { keysTexts } from '../../keys/keysTexts.ts';
import { paletteTexts } from './paletteTexts.ts';
import { profileTexts } from '../../account/profile/profileTexts.ts';
import { securityTexts } from '../../account/security/securityTexts.ts';

const maxItems = 5;

/** Finds the categories of settings, and the content of their pages. */
export function useSettingItems(typed: string): PaletteGroup {
  const { t } = useTexts(factorTexts, keysTexts, paletteTexts, profileTexts, securityTexts);
  const navigate = useNavigate();
  const { operator } = useSelf();
  const sells = useArePlansSold();
  const meetings = useStore(featureStore, ({ features }) => features['meetings'] === true);
  const pushes = useStore(featureStore, ({ features }) => features['push'] === true);
  const title = t('palette:settings');
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
