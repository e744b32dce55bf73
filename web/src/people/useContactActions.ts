import type { Contact } from '@nolo/api';
import { routes } from '@nolo/api';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../api/httpClient.ts';
import { queryKeys } from '../api/queries.ts';
import { useChat } from '../chat/context/chatContext.ts';
import { useExplainFailure } from '../i18n/useExplainFailure.ts';
import { showFailure } from '../ui/failures.ts';
import { toast } from '../ui/toasts.ts';
import { useContactsWords } from './useContactsWords.ts';

/** Returns the actions on contacts. Each reports its outcome, and resolves to true on success. */
export function useContactActions() {
  const { t } = useContactsWords();
  const words = useExplainFailure();
  const { engine } = useChat();
  const queryClient = useQueryClient();

  const refresh = () => {
    void queryClient.invalidateQueries({ queryKey: queryKeys.contacts });
    void queryClient.invalidateQueries({ queryKey: queryKeys.blocked });
    // Conversations contain the names and blocks that were just changed.
    engine.refresh();
  };

  const change = async (task: () => Promise<unknown>, done: string, failed: string): Promise<boolean> => {
    try {
      await task();
      refresh();
      toast({ kind: 'success', title: done });
      return true;
    } catch (error) {
      showFailure({ title: failed, description: words(error) });
      return false;
    }
  };

  return {
    refresh,
    rename: (contact: Contact, displayName: string) =>
      change(
        () => call(routes.updateContact, { params: { id: contact.id }, body: { displayName } }),
        t('contacts.renamed'),
        t('contacts.renameFailed'),
      ),
    remove: (contact: Contact) =>
      change(
        () => call(routes.removeContact, { params: { id: contact.id } }),
        t('contacts.removed'),
        t('contacts.removeFailed'),
      ),
    block: (userId: string) =>
      change(
        () => call(routes.blockUser, { params: { id: userId } }),
        t('contacts.blocked'),
        t('contacts.blockFailed'),
      ),
    unblock: (userId: string) =>
      change(
        () => call(routes.unblockUser, { params: { id: userId } }),
        t('contacts.unblocked'),
        t('contacts.unblockFailed'),
      ),
  };
}
