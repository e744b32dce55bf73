import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { buttonClasses } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';

/** Link to the screen for the brand in the user's meeting rooms. */
export function BrandingLinkCard() {
  const { t } = useTranslation();
  return (
    <Card title={t('profile.branding')}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-48 flex-1 text-13 text-muted">{t('profile.brandingText')}</p>
        <Link to="/settings/brand" className={buttonClasses({ kind: 'secondary', size: 'small' })}>
          {t('profile.brandingOpen')}
        </Link>
      </div>
    </Card>
  );
}
