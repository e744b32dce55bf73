import type { Dependencies } from './dependencies.ts';
import { listPinned } from './listPinned.ts';
import { listStarred } from './listStarred.ts';
import { pinMessage } from './pinMessage.ts';
import { setReaction } from './setReaction.ts';
import { setTimer } from './setTimer.ts';
import { starMessage } from './starMessage.ts';
import { updateConversationSettings } from './updateConversationSettings.ts';

/** What the MarkService answers. */
export function markHandlers(dependencies: Dependencies) {
  return {
    setReaction: setReaction(dependencies),
    pinMessage: pinMessage(dependencies),
    starMessage: starMessage(dependencies),
    listStarred: listStarred(dependencies),
    listPinned: listPinned(dependencies),
    setTimer: setTimer(dependencies),
    updateConversationSettings: updateConversationSettings(dependencies),
  };
}
