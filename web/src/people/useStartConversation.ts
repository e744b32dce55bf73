import { routes } from '@nolo/api';
import { useNavigate } from 'react-router-dom';
import { ApiError, call } from '../api/httpClient.ts';
import { useChat } from '../chat/context/chatContext.ts';
import { explainServerError } from '../i18n/explainFailure.ts';
import { useAction } from '../ui/useAction.ts';
import { useTexts } from '../i18n/texts.ts';

/** Opens the conversation with a person, and creates it if necessary. */
export function useStartConversation() {
  const { t, i18n } = useTexts();
  const { engine } = useChat();
  const navigate = useNavigate();
  const { run, running = null } = useAction(
    async (userId: string) => {
      const conversation = await call(routes.startConversation, { body: { otherUserId: userId } });
      engine.addConversation(conversation);
      await navigate(`/chat/${conversation.id}`);
    },
    {
      failure: (error) => ({
        title: t('errors.startConversation'),
        description:
          error instanceof ApiError && !error.passing ? explainServerError(i18n, error) || undefined : undefined,
      }),
    },
  );
  const start = async (userId: string) => void (running ?? (await run(userId)));
  return { startingWith: running, start };
}
