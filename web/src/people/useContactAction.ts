import { routes } from '@nolo/api';
import { call } from '../api/httpClient.ts';
import { queryKeys } from '../api/queries.ts';
import { useChat } from '../chat/context/chatContext.ts';
import { useExplainFailure } from '../i18n/useExplainFailure.ts';
import { toast } from '../ui/toasts.ts';
import { useAction, type ActionOptions } from '../ui/useAction.ts';
import { useTexts } from '../i18n/texts.ts';
import { contactsTexts } from './contactsTexts.ts';

interface ContactActionOptions<Input, Result> extends Pick<ActionOptions<Input, Result>, 'failure' | 'onDone'> {
  /** Notice of success. */
  done?: string;
}

/** An action of the user on contacts, which refetches everything that contains their names and blocks. */
export function useContactAction<Input = void, Result = unknown>(
  action: (input: Input) => Promise<Result>,
  { failure, done, onDone }: ContactActionOptions<Input, Result>,
) {
  const { engine } = useChat();
  return useAction(action, {
    invalidates: [queryKeys.contacts, queryKeys.blocked],
    failure,
    onDone: (result, input) => {
      // Conversations contain the names and blocks too.
      engine.refresh();
      if (done !== undefined) toast({ kind: 'success', title: done });
      onDone?.(result, input);
    },
  });
}

/** Adds a known person to the contacts. `refuse` shows the reason of a failure in place of the usual notice. */
export function useAddPerson(id: string, onDone: () => void, refuse?: (reason: string) => void) {
  const { t } = useTexts(contactsTexts);
  const words = useExplainFailure();
  return useContactAction(() => call(routes.addContact, { body: { userId: id } }), {
    failure: (error) => {
      const title = words(error, t('errors.addContact'));
      if (!refuse) return { title };
      refuse(title);
      return undefined;
    },
    done: t('contacts:added'),
    onDone,
  });
}

/** Unblocks a person, named by id. */
export function useUnblock(onDone?: () => void) {
  const { t } = useTexts(contactsTexts);
  return useContactAction((id: string) => call(routes.unblockUser, { params: { id } }), {
    failure: t('contacts:unblockFailed'),
    done: t('contacts:unblocked'),
    ...(onDone && { onDone }),
  });
}
