import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useSelf } from '../../session/self.ts';
import { buttonClasses } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';

/** Link for operators to the admin area; hidden from everyone else. */
export function AdminLinkCard() {
  const { t } = useTranslation();
  const { operator } = useSelf();
  if (!operator) return null;
  return (
    <Card title={t('profile.admin')}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-48 flex-1 text-13 text-muted">{t('profile.adminText')}</p>
        <Link to="/admin" className={buttonClasses({ kind: 'secondary', size: 'small' })}>
          {t('profile.adminOpen')}
        </Link>
      </div>
    </Card>
  );
}
