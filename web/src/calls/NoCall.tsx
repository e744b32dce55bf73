import { Phone } from 'lucide-react';
import { EmptyState } from '../ui/EmptyState.tsx';
import { useCallTexts } from './useCallTexts.ts';

/** Beside the list while no call is chosen. */
export function NoCall() {
  const { t } = useCallTexts();
  return (
    <EmptyState
      className="flex-1"
      icon={<Phone />}
      title={t('calls.selectTitle')}
      description={t('calls.selectText')}
    />
  );
}
