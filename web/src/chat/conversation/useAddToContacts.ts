import { routes } from '@nolo/api';
import { ApiError } from '../../api/httpClient.ts';
import { toast } from '../../ui/toasts.ts';
import { useAction } from '../../ui/useAction.ts';
import { useTexts } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';

export function useAddToContacts(userId: string) {
  const { t } = useTexts(conversationTexts);
  const { run, busy } = useAction(routes.addContact, {
    invalidates: [[]],
    failure: (error) => ({ title: (error instanceof ApiError && error.serverMessage) || t('errors.addContact') }),
    onDone: () => toast({ kind: 'success', title: t('conversation:contactAdded') }),
  });
  return { busy, add: () => run({ body: { userId } }) };
}
