import { routes } from '@nolo/api';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { ApiError, call } from '../api/httpClient.ts';
import { useChat } from '../chat/context/chatContext.ts';
import { explainServerError } from '../i18n/explainFailure.ts';
import { showFailure } from '../ui/failures.ts';

/** Opens the conversation with a person, and creates it if necessary. */
export function useStartConversation() {
  const { t, i18n } = useTranslation();
  const { engine } = useChat();
  const navigate = useNavigate();
  const [startingWith, setStartingWith] = useState<string | null>(null);

  const start = async (userId: string) => {
    if (startingWith !== null) return;
    setStartingWith(userId);
    try {
      const conversation = await call(routes.startConversation, { body: { otherUserId: userId } });
      engine.addConversation(conversation);
      await navigate(`/chat/${conversation.id}`);
    } catch (error) {
      const words = error instanceof ApiError && !error.passing ? explainServerError(i18n, error) : '';
      showFailure({ title: t('errors.startConversation'), ...(words && { description: words }) });
    }
    setStartingWith(null);
  };
  return { startingWith, start };
}
