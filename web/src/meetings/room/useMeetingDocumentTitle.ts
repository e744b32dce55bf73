import { isolateDirection } from '@nolo/rules';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

export function useMeetingDocumentTitle(title: string): void {
  const { t } = useTranslation();
  useEffect(() => {
    document.title = `${isolateDirection(title)} · ${t('common.productName')}`;
  }, [title, t]);
}
