import type { ReactNode } from 'react';
import { I18nextProvider } from 'react-i18next';
import { TooltipProvider } from '../ui/Tooltip.tsx';
import { createI18n } from '../i18n/i18n.ts';
import '../i18n/refusalsTexts.ts';

/** Wraps a test's components in the providers that every component may rely on. */
export function TestProviders({ children }: { children: ReactNode }) {
  const i18n = createI18n();
  return (
    <I18nextProvider i18n={i18n}>
      <TooltipProvider>{children}</TooltipProvider>
    </I18nextProvider>
  );
}
