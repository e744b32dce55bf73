import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { buttonClasses } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';

/** Link to the screen for programs that act for the user. */
export function ApiAccessLinkCard() {
  const { t } = useTranslation();
  return (
    <Card title={t('profile.apiAccess')}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-48 flex-1 text-13 text-muted">{t('profile.apiAccessText')}</p>
        <Link to="/settings/developer" className={buttonClasses({ kind: 'secondary', size: 'small' })}>
          {t('profile.apiAccessOpen')}
        </Link>
      </div>
    </Card>
  );
}
