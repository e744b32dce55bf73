import { ChevronRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useStore } from 'zustand';
import { configStore } from '../../session/config.ts';
import { Card } from '../../ui/Card.tsx';

/** What this is, in which version, and on which terms. */
export function AboutCard() {
  const { t } = useTranslation();
  const version = useStore(configStore, (state) => state.config?.version);
  return (
    <Card title={t('profile.about')} {...(version && { description: t('profile.version', { version }) })}>
      <nav aria-label={t('profile.about')} className="-mx-2 flex flex-col">
        {(['privacy', 'terms'] as const).map((name) => (
          <Link
            key={name}
            to={`/${name}`}
            className="tap flex min-h-11 items-center justify-between gap-3 rounded-control px-2 text-14 font-medium hover:bg-hover"
          >
            {t(`legal.${name}`)}
            <ChevronRight aria-hidden="true" className="size-4 text-muted rtl:-scale-x-100" />
          </Link>
        ))}
      </nav>
    </Card>
  );
}
