import { LogOut, Settings } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { classNames } from '../ui/classNames.ts';
import { useRequestSignOut } from '../session/useRequestSignOut.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { LogoIcon } from '../ui/Logo.tsx';
import { Tooltip } from '../ui/Tooltip.tsx';
import { SectionBadge } from './SectionBadge.tsx';
import { useNavEntries } from './sections.tsx';

/** Slim rail at the start edge, from 768 px on, with settings and Log out at the bottom. */
export function NavRail() {
  const { t, i18n } = useTranslation();
  const entries = useNavEntries();
  const badges = useId();
  const signOut = useRequestSignOut();
  const side = i18n.dir() === 'rtl' ? 'left' : 'right';
  return (
    <nav
      aria-label={t('nav.label')}
      className="hidden w-16 shrink-0 flex-col items-center gap-1 border-e border-line bg-page py-3 md:flex"
    >
      <Link
        to="/"
        aria-label={t('common.productName')}
        className="mb-3 flex size-11 items-center justify-center rounded-card"
      >
        <LogoIcon className="size-8" />
      </Link>
      {entries.map(({ section, path, Icon: SectionIcon, current }) => {
        // The profile page contains all settings here, and the card over the chats represents the user.
        const isSettings = section === 'profile';
        const label = isSettings ? t('chats.settings') : t(`nav.${section}`);
        const Icon = isSettings ? Settings : SectionIcon;
        return (
          <Tooltip key={section} label={label} side={side}>
            <Link
              to={path}
              aria-label={label}
              aria-current={current ? 'page' : undefined}
              aria-describedby={`${badges}${section}`}
              className={classNames(
                'relative flex size-11 items-center justify-center rounded-card transition-colors duration-150',
                current ? 'bg-accent-subtle text-accent-text' : 'text-muted hover:bg-hover hover:text-ink',
                isSettings && 'mt-auto',
              )}
            >
              <Icon aria-hidden="true" className="size-[22px]" strokeWidth={current ? 2.2 : 1.8} />
              <SectionBadge section={section} id={`${badges}${section}`} />
            </Link>
          </Tooltip>
        );
      })}
      <IconButton
        label={t('chats.logout')}
        tooltipSide={side}
        icon={<LogOut className="rtl:-scale-x-100" />}
        onClick={signOut}
      />
    </nav>
  );
}
