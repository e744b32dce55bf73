import { routes } from '@nolo/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError, call } from '../../api/httpClient.ts';
import { showFailure } from '../../ui/failures.ts';
import { toast } from '../../ui/toasts.ts';

/** Adds the other person of a conversation to the contacts. */
export function useAddToContacts(userId: string) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call(routes.addContact, { body: { userId } }),
    onSuccess: async () => {
      toast({ kind: 'success', title: t('conversation.contactAdded') });
      await queryClient.invalidateQueries();
    },
    onError: (error) => {
      const words = error instanceof ApiError ? error.serverMessage : '';
      showFailure({ title: words || t('errors.addContact') });
    },
  });
}
