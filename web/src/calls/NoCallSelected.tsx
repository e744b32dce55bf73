import { Phone } from 'lucide-react';
import { EmptyState } from '../ui/EmptyState.tsx';
import { useHasNoCalls } from './callPages.ts';
import { useTexts } from '../i18n/texts.ts';
import { callsTexts } from './callsTexts.ts';

/** Content next to the list while no call is selected; an empty list explains by itself what to do next. */
export function NoCallSelected() {
  const { t } = useTexts(callsTexts);
  if (useHasNoCalls()) return null;
  return (
    <EmptyState
      className="flex-1"
      icon={<Phone />}
      title={t('calls:selectTitle')}
      description={t('calls:selectText')}
    />
  );
}
