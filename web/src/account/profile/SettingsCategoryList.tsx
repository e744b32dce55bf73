import { LayoutList } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CategoryLink } from '../../shell/CategoryLink.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import type { SettingsCategory } from './settingsCategories.ts';
import { findCategories, settingsAddress } from './settingsCategories.ts';

interface SettingsCategoryListProps {
  categories: readonly SettingsCategory[];
  current: SettingsCategory['page'] | undefined;
}

/** Categories of settings, next to the current one if there is room, with a search. */
export function SettingsCategoryList({ categories, current }: SettingsCategoryListProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const found = findCategories(categories, typed);
  return (
    <nav aria-label={t('profile.settings.label')}>
      <SearchField label={t('profile.settings.search')} value={typed} onValueChange={setTyped} />
      <ul className="mt-2 flex flex-col gap-0.5">
        {typed.trim() === '' && (
          <CategoryLink
            to="/profile"
            Icon={LayoutList}
            title={t('profile.settings.all')}
            current={current === undefined}
            // All settings are shown under the list in one column.
            className="max-lg:hidden"
          />
        )}
        {found.map(({ page, title, Icon }) => (
          <CategoryLink key={page} to={settingsAddress(page)} Icon={Icon} title={title} current={page === current} />
        ))}
      </ul>
      <p role="status" className="px-3 text-13 text-muted">
        {found.length === 0 && t('profile.settings.none')}
      </p>
    </nav>
  );
}
