import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { classNames } from '../ui/classNames.ts';
import { SectionBadge } from './SectionBadge.tsx';
import { useNavEntries } from './sections.tsx';

/** Bottom tab bar of phones. */
export function TabBar() {
  const { t } = useTranslation();
  const all = useNavEntries();
  const badges = useId();
  const open = all.find(({ current }) => current);
  const entries = all.filter(({ parentSection }) => !parentSection);
  return (
    <nav
      data-keep-clear
      aria-label={t('nav.label')}
      className="shrink-0 border-t border-line bg-panel pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <ul className="flex h-14">
        {entries.map(({ section, path, Icon }) => {
          const current = section === (open?.parentSection ?? open?.section);
          return (
            <li key={section} className="min-w-0 flex-1">
              <Link
                to={path}
                aria-label={t(`nav.${section}`)}
                aria-current={current ? 'page' : undefined}
                aria-describedby={`${badges}${section}`}
                className={classNames(
                  'flex h-full flex-col items-center justify-center gap-0.5 text-12 font-medium outline-offset-[-3px] select-none',
                  current ? 'text-accent-text' : 'text-muted',
                )}
              >
                <span
                  className={classNames(
                    'relative flex h-7 w-14 items-center max-[22rem]:w-11 justify-center rounded-full transition-colors duration-150',
                    current && 'bg-accent-subtle',
                  )}
                >
                  <Icon aria-hidden="true" className="size-[22px]" strokeWidth={current ? 2.2 : 1.8} />
                  <SectionBadge section={section} id={`${badges}${section}`} />
                </span>
                <span className="max-w-full truncate px-1 max-[22rem]:px-0 max-[22rem]:text-[0.6875rem] max-[22rem]:tracking-tight">
                  {t(`nav.${section}`)}
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
