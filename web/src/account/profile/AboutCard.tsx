import { ChevronRight } from 'lucide-react';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useStore } from 'zustand';
import { configStore } from '../../session/config.ts';
import { Card } from '../../ui/Card.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { lazyComponent } from '../../ui/lazyComponents.tsx';

/* Uses the symbols and texts of conversations. */
const ReceiptLegend = lazyComponent(
  async () => (await import('../../chat/conversation/ReceiptLegend.tsx')).ReceiptLegend,
);

/** Answers to common questions. */
export function ReceiptLegendCard() {
  const { t } = useTranslation();
  return (
    <Card title={t('profile.ticks')}>
      <Suspense fallback={<Skeleton className="h-24" />}>
        <ReceiptLegend />
      </Suspense>
    </Card>
  );
}

/** Product name, version and license terms. */
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
