import { Compass } from 'lucide-react';
import { useEffect } from 'react';
import { ButtonLink } from '../ui/Button.tsx';
import { useTexts } from '../i18n/texts.ts';
import { missingTexts } from './missingTexts.ts';

/** Screen for unknown addresses. A plain link leads home, so it also works outside the router. */
export function NotFoundScreen({ homeHref = '/' }: { homeHref?: string }) {
  const { t } = useTexts(missingTexts);
  useEffect(() => {
    document.title = `${t('notFound.title')} · ${t('common.productName')}`;
  }, [t]);
  return (
    <div className="grid h-full min-h-[70dvh] place-items-center bg-page px-6">
      <div className="flex flex-col items-center text-center text-balance">
        <span
          aria-hidden="true"
          className="mb-5 flex size-16 items-center justify-center rounded-full bg-accent-subtle text-accent-text"
        >
          <Compass className="size-7" />
        </span>
        <h1 className="text-24 font-semibold tracking-tight">{t('notFound.title')}</h1>
        <p className="mt-2 max-w-90 text-14 text-muted">{t('missing:text')}</p>
        <ButtonLink kind="secondary" className="mt-6" href={homeHref}>
          {t('common.goBackHome')}
        </ButtonLink>
      </div>
    </div>
  );
}
