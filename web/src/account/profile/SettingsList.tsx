import { LayoutList } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { classNames } from '../../ui/classNames.ts';
import { SearchField } from '../../ui/SearchField.tsx';
import type { SettingsCategory } from './settingsCategories.ts';
import { findCategories, settingsAddress } from './settingsCategories.ts';

interface SettingsListProps {
  categories: readonly SettingsCategory[];
  current: SettingsCategory['page'] | undefined;
}

/** The categories of settings, beside the one that is shown where there is room, and a search among them. */
export function SettingsList({ categories, current }: SettingsListProps) {
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
            // In one column all of it stands under the list.
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

interface CategoryLinkProps {
  to: string;
  Icon: LucideIcon;
  title: string;
  current: boolean;
  className?: string;
}

function CategoryLink({ to, Icon, title, current, className }: CategoryLinkProps) {
  return (
    <li className={className}>
      <Link
        to={to}
        aria-current={current ? 'page' : undefined}
        className={classNames(
          'flex min-h-10 items-center gap-3 rounded-control px-3 py-1.5 text-14 pointer-coarse:min-h-11',
          current ? 'bg-accent-subtle font-medium text-accent-text' : 'text-muted hover:bg-hover hover:text-ink',
        )}
      >
        <Icon aria-hidden="true" className="size-[18px] shrink-0" />
        <span className="min-w-0 wrap-anywhere">{title}</span>
      </Link>
    </li>
  );
}
