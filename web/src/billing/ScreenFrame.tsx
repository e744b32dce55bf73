import type { ReactNode } from 'react';
import { ProfileSubpageFrame } from '../shell/ProfileSubpageFrame.tsx';
import { useBillingWords } from './useBillingWords.ts';

/** Frame of a screen of plans and payments. */
export function ScreenFrame({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useBillingWords();
  return (
    <ProfileSubpageFrame title={title} back={t('billing.teamPage.back')}>
      {children}
    </ProfileSubpageFrame>
  );
}
