import { isolateDirection } from '@nolo/rules';
import { useEffect } from 'react';
import { useTexts } from '../../i18n/texts.ts';

export function useMeetingDocumentTitle(title: string): void {
  const { t } = useTexts();
  useEffect(() => {
    document.title = `${isolateDirection(title)} · ${t('common.productName')}`;
  }, [title, t]);
}
