import type { Message } from '@nolo/api';
import { serverNow } from '../../api/serverClock.ts';
import { getDateFormat, formatExactTime } from '../../i18n/dates.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useChat } from '../context/chatContext.ts';
import { callTexts } from '../words/callTexts.ts';
import { summarizeMessage } from '../words/messagePreview.ts';
import { usePeopleNames } from '../words/peopleNames.ts';
import type { ChatExportTexts } from './chatExport.ts';
import { chatExportTexts } from './chatExportTexts.ts';

/** Returns the texts for messages on exported pages, in the language of the app. */
export function useChatExportWords(): { selfId: string; createWords: (title: string) => ChatExportTexts } {
  const { t } = useTexts(callTexts, chatExportTexts);
  const names = usePeopleNames();
  const { store } = useChat().engine;
  const { locale, selfId } = names;
  // Names arrive while the export runs.
  const nameOf = (id: string) => store.getState().people[id]?.displayName ?? names.nameOf(id);
  const createWords = (title: string): ChatExportTexts => ({
    head: {
      language: locale,
      direction: document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr',
      title,
      lead: t('chatExport:lead', { date: formatExactTime(serverNow(), locale) }),
    },
    // Names of former members come from the message.
    nameOf: (userId, { sender }: Message) => (sender?.id === userId ? sender.displayName : nameOf(userId)),
    dayOf: (time) => getDateFormat(locale, { dateStyle: 'full' }).format(Date.parse(time)),
    timeOf: (time) => getDateFormat(locale, { timeStyle: 'short' }).format(Date.parse(time)),
    summary: (message) => summarizeMessage(message, t, names),
    edited: t('chatExport:edited'),
    forwarded: t('chatExport:forwarded'),
    unopened: t('chatExport:unopened'),
  });
  return { selfId, createWords };
}
