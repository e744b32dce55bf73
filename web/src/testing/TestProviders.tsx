import type { ReactNode } from 'react';
import { I18nextProvider } from 'react-i18next';
import { TooltipProvider } from '../ui/Tooltip.tsx';
import { enCall } from '../i18n/enCall.ts';
import { addWords, createI18n } from '../i18n/i18n.ts';

/** Wraps what a test renders in the providers every component may rely on. */
export function TestProviders({ children }: { children: ReactNode }) {
  const i18n = createI18n();
  addWords(i18n, 'call', enCall);
  return (
    <I18nextProvider i18n={i18n}>
      <TooltipProvider>{children}</TooltipProvider>
    </I18nextProvider>
  );
}
