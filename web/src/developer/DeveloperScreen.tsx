import { BookOpen } from 'lucide-react';
import { useStore } from 'zustand';
import { featureStore } from '../session/features.ts';
import { useDocumentTitle } from '../shell/routeHandle.ts';
import { ButtonLink } from '../ui/Button.tsx';
import { TokensCard } from './TokensCard.tsx';
import { WebhooksCard } from './webhooks/WebhooksCard.tsx';
import { useTexts } from '../i18n/texts.ts';
import { developerTexts } from './developerTexts.ts';

/** `/settings/developer`: API access on behalf of the user. */
export function DeveloperScreen() {
  const { t } = useTexts(developerTexts);
  const hasWebhooks = useStore(featureStore, ({ features }) => features['webhooks'] === true);
  useDocumentTitle(t('developer:title'));
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-48 flex-1 text-14 text-muted">{t('developer:intro')}</p>
        <ButtonLink
          href="/api/docs/"
          target="_blank"
          rel="noreferrer"
          kind="secondary"
          size="small"
          icon={<BookOpen />}
        >
          {t('developer:documentation')}
        </ButtonLink>
      </div>
      <TokensCard />
      {hasWebhooks && <WebhooksCard />}
    </>
  );
}
