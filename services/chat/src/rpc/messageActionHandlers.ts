import { setTimer, updateConversationSettings } from './conversations.ts';
import type { Dependencies } from './dependencies.ts';
import { clearConversation, hideMessage } from './hiding.ts';
import { listPinned, listStarred, pinMessage, setReaction, starMessage } from './annotations.ts';

/** Handlers of the MessageActionService. */
export function createMessageActionHandlers(dependencies: Dependencies) {
  return {
    setReaction: setReaction(dependencies),
    pinMessage: pinMessage(dependencies),
    starMessage: starMessage(dependencies),
    listStarred: listStarred(dependencies),
    listPinned: listPinned(dependencies),
    setTimer: setTimer(dependencies),
    updateConversationSettings: updateConversationSettings(dependencies),
    hideMessage: hideMessage(dependencies),
    clearConversation: clearConversation(dependencies),
  };
}
