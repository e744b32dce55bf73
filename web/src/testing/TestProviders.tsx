import type { ReactNode } from 'react';
import { I18nextProvider } from 'react-i18next';
import { TooltipProvider } from '../ui/Tooltip.tsx';
import { enCall } from '../chat/calling/enCall.ts';
import { enContacts } from '../people/enContacts.ts';
import { enGroup } from '../groups/enGroup.ts';
import { enConversation } from '../chat/words/enConversation.ts';
import { enMessages } from '../chat/words/enMessages.ts';
import { enRefusals } from '../i18n/enRefusals.ts';
import { enRows } from '../chat/list/enRows.ts';
import { addWords, createI18n } from '../i18n/i18n.ts';

/** Wraps a test's components in the providers that every component may rely on. */
export function TestProviders({ children }: { children: ReactNode }) {
  const i18n = createI18n();
  addWords(i18n, 'call', enCall);
  addWords(i18n, 'contacts', enContacts);
  addWords(i18n, 'group', enGroup);
  addWords(i18n, 'conversation', enConversation);
  addWords(i18n, 'messages', enMessages);
  addWords(i18n, 'refusals', enRefusals);
  addWords(i18n, 'rows', enRows);
  return (
    <I18nextProvider i18n={i18n}>
      <TooltipProvider>{children}</TooltipProvider>
    </I18nextProvider>
  );
}
