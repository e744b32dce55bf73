import { routes } from '@nolo/api';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/httpClient.ts';
import { toast } from '../../ui/toasts.ts';
import { useAction } from '../../ui/useAction.ts';

export function useAddToContacts(userId: string) {
  const { t } = useTranslation();
  const { run, busy } = useAction(routes.addContact, {
    invalidates: [[]],
    failure: (error) => ({ title: (error instanceof ApiError && error.serverMessage) || t('errors.addContact') }),
    onDone: () => toast({ kind: 'success', title: t('conversation.contactAdded') }),
  });
  return { busy, add: () => run({ body: { userId } }) };
}
